import ArgumentParser
import Confinement
import DetectorProtocol
import FaceDetection
import Glibc

/// Makes copies for `facefetch copies`, one picture at a time, until standard input closes.
///
/// A picture that can't be copied is answered like any other: who asks has thousands of them.
struct CopyServer {
    let maker: CopyMaker
    /// Finds the faces to hide; nil if the asker knows all faces.
    let detector: FaceDetector?
    let decoders: Decoders

    func run(documents: [String], folder: String) throws {
        // Who asks may be killed, which is only noticed between pictures otherwise.
        guard OwnProcess.dieWithParent() else { throw ExitCode(1) }
        let output = Streams.reserveOutput()
        try decoders.confine(readable: documents, writable: folder, requireLandlock: true)
        let engines = detector.map {
            DetectorGreeting.Engine(name: $0.engine.name, parameters: $0.parameters)
        }
        let greeting = DetectorGreeting(engines: engines.map { [$0] } ?? [])
        guard Streams.write(try DetectorFrame.encode(greeting), to: output) else { return }
        try FrameLoop.run(CopyRequest.self, output: output) { request in
            [try DetectorFrame.encode(answer(request))]
        }
        try maker.finish()
    }

    private func answer(_ request: CopyRequest) throws -> CopyResponse {
        func failed(_ message: String, isOfFolder: Bool = false) -> CopyResponse {
            CopyResponse(id: request.id, outcome: isOfFolder ? .stopped : .failed, message: message)
        }
        do {
            return try make(request)
        } catch let unreadable as UnreadablePicture {
            return failed(unreadable.description)
        } catch let lost as LostDecoder {
            return failed(lost.description)
        } catch let lack as LackOfResources {
            return failed(lack.description)
        } catch let failure as CopyFailure {
            return failed(failure.description, isOfFolder: failure.isOfFolder)
        }
    }

    private func make(_ request: CopyRequest) throws -> CopyResponse {
        let subject = CopyMaker.Subject(
            path: request.path,
            name: request.name,
            mark: request.mark,
            sum: request.sha256
        )
        let (width, height) = (request.width ?? 0, request.height ?? 0)
        let result: CopyMaker.Result
        var faceCount: Int?
        switch maker.kind {
        case .annotated:
            let faces = request.faces ?? []
            result = try maker.annotate(subject, faces: faces, width: width, height: height)
            faceCount = faces.count
        case .crops, .alignedCrops:
            let faces = request.faces ?? []
            result = try maker.crop(subject, faces: faces, width: width, height: height)
            faceCount = faces.count
        case .upright:
            result = try maker.turn(subject, width: width, height: height)
        case .redacted:
            guard let detector else { throw CopyFailure("nobody looks for the faces to hide") }
            result = try maker.redact(subject, known: request, by: detector)
            faceCount = result.hidden?.findings.faces.count
        }
        let doubtful = result.hidden?.doubtful.prefix(DetectorResponse.maximumFaceCount) ?? []
        return CopyResponse(
            id: request.id,
            outcome: .made,
            made: result.files.count - result.kept,
            kept: result.kept,
            file: result.files.first,
            surplus: result.surplus.isEmpty ? nil : Array(result.surplus.prefix(100)),
            faceCount: faceCount,
            doubtful: doubtful.map { face in
                var face = face.answer
                // Nobody asks for them, and they take most of the room.
                face.landmarks = nil
                return face
            }
        )
    }
}
