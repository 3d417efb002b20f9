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
        try FrameLoop.run(DetectorRequest.self, output: output) { request in
            let (response, thumbnail) = try answer(request)
            return [try DetectorFrame.encode(response), thumbnail]
        }
    }

    /// Looks at a document, and returns the answer with the thumbnail that was asked for, if there is one.
    private func answer(_ request: DetectorRequest) throws -> (DetectorResponse, thumbnail: [UInt8]) {
        let asked = detectors.first { request.engine == nil || $0.engine.name == request.engine }
        guard let detector = asked else {
            throw FrameError.garbage("a request for an engine that wasn't offered")
        }
        let clock = ContinuousClock()
        let start = clock.now
        var first: Picture?
        let detection = try look(at: request.path, detector) { picture in
            if first == nil { first = picture }
        }
        let thumbnail = thumbnail(request.thumbnail, of: first, at: request.path)
        let seconds = (clock.now - start).seconds
        switch detection {
        case .counted(let seen):
            var response = DetectorResponse(
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
            if !thumbnail.isEmpty { response.thumbnailLength = thumbnail.count }
            return (response, thumbnail)
        case .unreadable(let reason):
            let response = DetectorResponse(
                id: request.id,
                outcome: .unreadable,
                engine: detector.engine.name,
                parameters: detector.parameters,
                seconds: seconds,
                message: reason
            )
            return (response, [])
        }
    }

    /// Returns a JPEG of the picture that was looked at first; empty if none was asked for, or if it shows
    /// too little for one.
    ///
    /// One with a colour profile is decoded again, small, for that: it was looked at without. If that
    /// fails, there is no thumbnail, and the result is as good as without.
    private func thumbnail(
        _ wanted: DetectorRequest.Thumbnail?,
        of seen: Picture?,
        at path: String
    ) -> [UInt8] {
        guard let wanted, let seen else { return [] }
        let meant =
            seen.hasProfile
            ? try? nursery.decode(path: path, workingSize: wanted.side, isShown: true) : seen
        guard let picture = meant else { return [] }
        let full = max(picture.fullWidth, picture.fullHeight)
        guard max(picture.width, picture.height) >= min(wanted.side, full) else { return [] }
        let jpeg = try? PlainJPEG(
            picture,
            side: wanted.side,
            quality: wanted.quality,
            limit: min(wanted.limit, PictureResponse.maximumLength)
        )
        return jpeg?.bytes ?? []
    }

    /// Has a document decoded, once for each look, and looks at it.
    ///
    /// A decoder that is lost ends this process, too: it may have been an attack, and the asker, who
    /// sees a crash, decides what becomes of the document. So does a lack of what the machine has run
    /// out of: the asker waits, and this process gives back what it holds.
    ///
    /// `show` gets each picture that is looked at.
    private func look(
        at path: String,
        _ detector: FaceDetector,
        show: (Picture) -> Void
    ) throws -> Detection {
        do {
            let findings = try detector.look { size in
                let picture = try nursery.decode(path: path, workingSize: size)
                show(picture)
                return picture
            }
            return .counted(findings)
        } catch let unreadable as UnreadablePicture {
            return .unreadable(reason: unreadable.description)
        } catch let lost as LostDecoder {
            try lost.end(at: path)
        } catch let lack as LackOfResources {
            StandardStreams.write(
                "facefetch-detector: \(path.debugDescription): \(lack)\n",
                to: STDERR_FILENO
            )
            throw ExitCode(DetectorExit.outOfResources)
        }
    }
}
