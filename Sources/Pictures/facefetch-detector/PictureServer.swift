import ArgumentParser
import Confinement
import DetectorProtocol
import FaceDetection
import Glibc
import Vocabulary

/// Answers the daemon's requests for pictures to show, one at a time, until standard input closes.
///
/// A document is decoded as for a detector, by a process of its own; this one makes the JPEG of its pixels.
struct PictureServer {
    /// Decodes the documents.
    let decoders: Decoders

    func run(documents: [String], requireLandlock: Bool) throws {
        // A daemon that is killed closes our standard input, but we read that only between pictures.
        guard OwnProcess.dieWithParent() else { throw ExitCode(1) }
        let output = Streams.reserveOutput()
        try decoders.confine(readable: documents, requireLandlock: requireLandlock)
        let greeting = DetectorGreeting(
            engines: [],
            warning: decoders.warning
        )
        guard Streams.write(try DetectorFrame.encode(greeting), to: output) else { return }
        try FrameLoop.run(PictureRequest.self, output: output) { request in
            let (response, bytes) = try answer(request)
            return [try DetectorFrame.encode(response), bytes]
        }
    }

    private func answer(_ request: PictureRequest) throws -> (PictureResponse, [UInt8]) {
        do {
            let isShown = request.wantsFingerprint != true
            let picture = try decoders.decode(
                path: request.path,
                workingSize: request.side,
                isShown: isShown
            )
            if request.wantsFingerprint == true {
                let fingerprint = Fingerprint(picture)?.hexadecimal
                return (PictureResponse(id: request.id, fingerprint: fingerprint), [])
            }
            let limit = min(request.limit, PictureResponse.maximumLength)
            let jpeg = try PlainJPEG(picture, quality: request.quality, limit: limit)
            return (PictureResponse(id: request.id, length: jpeg.bytes.count), jpeg.bytes)
        } catch let unreadable as UnreadablePicture {
            // Another process may be let into what is there by then.
            if decoders.isShutOut(by: unreadable) { throw ExitCode(DetectorExit.outOfResources) }
            return (PictureResponse(id: request.id, message: unreadable.description), [])
        } catch let lost as LostDecoder {
            try lost.end(at: request.path)
        } catch let lack as LackOfResources {
            Streams.say("facefetch-detector: \(request.path.debugDescription): \(lack)", to: STDERR_FILENO)
            throw ExitCode(DetectorExit.outOfResources)
        }
    }
}
