import ArgumentParser
import CSandbox
import DetectorProtocol
import FaceDetection
import Glibc

/// Answers the daemon's requests, one at a time, until standard input closes.
struct RequestServer {
    /// A detector for each engine; the first is used if a request names none.
    let detectors: [FaceDetector]
    /// The nursery of decoders.
    let nursery: Nursery

    func run(documents: [String], requireLandlock: Bool) throws {
        // A daemon that is killed closes our standard input, but that is only noticed between pictures.
        guard CSandbox_die_with(getppid()) == 0 else { throw ExitCode(1) }
        let output = StandardStreams.reserveOutput()

        try nursery.awaitReady(requireLandlock: requireLandlock)
        try Sandbox(readable: documents, requireLandlock: requireLandlock).close()
        let greeting = DetectorGreeting(
            engines: detectors.map { .init(name: $0.engine.name, parameters: $0.parameters) },
            warning: nursery.warnings.isEmpty ? nil : nursery.warnings.joined(separator: "; ")
        )
        guard StandardStreams.write(try DetectorFrame.encode(greeting), to: output) else { return }

        var decoder = FrameDecoder()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            while let request = try decoder.next(DetectorRequest.self) {
                let frame = try DetectorFrame.encode(try answer(request))
                guard StandardStreams.write(frame, to: output) else { return }
            }
            let bytes = StandardStreams.read(from: STDIN_FILENO, into: &buffer)
            guard !bytes.isEmpty else { break }
            decoder.append(bytes)
        }
        guard decoder.isBetweenMessages else { throw FrameError.truncated }
    }

    private func answer(_ request: DetectorRequest) throws -> DetectorResponse {
        let asked = detectors.first { request.engine == nil || $0.engine.name == request.engine }
        guard let detector = asked else {
            throw FrameError.garbage("a request for an engine that wasn't offered")
        }
        let clock = ContinuousClock()
        let start = clock.now
        let detection = try look(at: request.path, detector)
        let seconds = (clock.now - start).seconds
        switch detection {
        case .counted(let seen):
            return DetectorResponse(
                id: request.id,
                outcome: .counted,
                faces: seen.faces.prefix(DetectorResponse.maximumFaceCount).map(DetectorResponse.Face.init),
                width: seen.width,
                height: seen.height,
                orientation: seen.orientation,
                format: seen.format.rawValue,
                looks: seen.looks,
                engine: detector.engine.name,
                parameters: detector.parameters,
                seconds: seconds
            )
        case .unreadable(let reason):
            return DetectorResponse(
                id: request.id,
                outcome: .unreadable,
                engine: detector.engine.name,
                parameters: detector.parameters,
                seconds: seconds,
                message: reason
            )
        }
    }

    /// Has a document decoded, once for each look, and looks at it.
    ///
    /// A decoder that is lost ends this process, too: it may have been an attack, and the asker, who
    /// sees a crash, decides what becomes of the document. So does a lack of what the machine has run
    /// out of: the asker waits, and this process gives back what it holds.
    private func look(at path: String, _ detector: FaceDetector) throws -> Detection {
        do {
            return .counted(try detector.look { try nursery.decode(path: path, workingSize: $0) })
        } catch let unreadable as UnreadablePicture {
            return .unreadable(reason: unreadable.description)
        } catch let lost as LostDecoder {
            throw SandboxFailure("\(path.debugDescription): \(lost)")
        } catch let lack as LackOfResources {
            StandardStreams.write(
                "facefetch-detector: \(path.debugDescription): \(lack)\n",
                to: STDERR_FILENO
            )
            throw ExitCode(DetectorExit.outOfResources)
        }
    }
}
