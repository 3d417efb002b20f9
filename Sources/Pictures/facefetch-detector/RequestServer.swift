import ArgumentParser
import Confinement
import DetectorProtocol
import FaceDetection
import Glibc
import Vocabulary

/// Answers the daemon's requests, one at a time, until standard input closes.
struct RequestServer {
    /// A detector for each engine; the first is used if a request names none.
    let detectors: [FaceDetector]
    /// Decodes the documents.
    let decoders: Decoders

    func run(documents: [String], requireLandlock: Bool) throws {
        // A daemon that is killed closes our standard input, but that is only noticed between pictures.
        guard OwnProcess.dieWithParent() else { throw ExitCode(1) }
        let output = Streams.reserveOutput()

        try decoders.confine(readable: documents, requireLandlock: requireLandlock)
        let greeting = DetectorGreeting(
            engines: detectors.map { .init(name: $0.engine.name, parameters: $0.parameters) },
            warning: decoders.warning
        )
        guard Streams.write(try DetectorFrame.encode(greeting), to: output) else { return }
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
        let (detection, shown) = try look(at: request.path, detector, shownSide: request.thumbnail?.side)
        let thumbnail = request.thumbnail.flatMap { wanted in
            shown.flatMap { Self.thumbnail(wanted, of: $0) }
        }
        let seconds = (clock.now - start).seconds
        switch detection {
        case .counted(let seen):
            var response = DetectorResponse(
                id: request.id,
                outcome: .counted,
                faces: seen.faces.prefix(DetectorResponse.maximumFaceCount).map(\.answer),
                width: seen.width,
                height: seen.height,
                orientation: seen.orientation,
                format: seen.format.rawValue,
                looks: seen.looks,
                engine: detector.engine.name,
                parameters: detector.parameters,
                seconds: seconds
            )
            response.damaged = seen.isDamaged ? true : nil
            response.fingerprint = seen.fingerprint?.hexadecimal
            response.turned = seen.turned
            response.thumbnailLength = thumbnail?.count
            return (response, thumbnail ?? [])
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

    /// Returns a JPEG of a picture; nil if it shows too little for one, or has none of that length.
    private static func thumbnail(_ wanted: DetectorRequest.Thumbnail, of picture: Picture) -> [UInt8]? {
        let full = max(picture.fullWidth, picture.fullHeight)
        guard max(picture.width, picture.height) >= min(wanted.side, full) else { return nil }
        let jpeg = try? PlainJPEG(
            picture,
            side: wanted.side,
            quality: wanted.quality,
            limit: min(wanted.limit, PictureResponse.maximumLength)
        )
        return jpeg?.bytes
    }

    /// Has a document decoded, once for each look, and looks at it.
    ///
    /// A decoder that is lost ends this process, too: it may have been an attack, and the asker, who
    /// sees a crash, decides what becomes of the document. So does a lack of what the machine has run
    /// out of: the asker waits, and this process gives back what it holds.
    ///
    /// Only the first decoding may take all the time: the further ones end in time for what was found to be told.
    ///
    /// Returns also the picture that was looked at first, as people see it: if a profile gives it other
    /// colours, that comes from the same decoding, in `shownSide` pixels.
    private func look(
        at path: String,
        _ detector: FaceDetector,
        shownSide: Int?
    ) throws -> (Detection, shown: Picture?) {
        var first: Picture?
        var isFirst = true
        let begin = ContinuousClock.now
        do {
            let findings = try detector.look { size in
                let side = isFirst ? shownSide : nil
                let time = isFirst ? nil : detector.timeLeft(since: begin)
                let (picture, shown) = try decoders.decode(
                    path: path,
                    workingSize: size,
                    shownSide: side,
                    within: time
                )
                if side != nil { first = shown ?? (picture.hasProfile ? nil : picture) }
                isFirst = false
                return picture
            } rows: { size, take in
                let time = detector.timeLeft(since: begin)
                try decoders.rows(path: path, workingSize: size, within: time, take)
            }
            return (.counted(findings), first)
        } catch let unreadable as UnreadablePicture {
            let isShutOut = decoders.isShutOut(by: unreadable)
            return (.unreadable(reason: isShutOut ? DetectorResponse.noDirectory : "\(unreadable)"), nil)
        } catch let lost as LostDecoder {
            try lost.end(at: path)
        } catch let lack as LackOfResources {
            Streams.say("facefetch-detector: \(path.debugDescription): \(lack)", to: STDERR_FILENO)
            throw ExitCode(DetectorExit.outOfResources)
        }
    }
}
