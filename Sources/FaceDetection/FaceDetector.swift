/// Looks for faces in documents, one at a time.
///
/// It is deliberately not Sendable: neither libvips' decoding of one picture
/// nor OpenCV's engines gain from threads here. Processes are the parallelism.
public final class FaceDetector {
    /// The engine that looks.
    public let engine: any FaceEngine
    private let decoder: PictureDecoder

    /// A detector with one engine.
    public init(engine: any FaceEngine, decoder: PictureDecoder = PictureDecoder()) {
        self.engine = engine
        self.decoder = decoder
    }

    /// Decodes a document and looks for faces in it.
    public func look(at path: String) -> Detection {
        do throws(UnreadablePicture) {
            return try look(in: try decoder.decode(path: path, workingSize: engine.workingSize))
        } catch {
            return .unreadable(reason: error.description)
        }
    }

    /// Looks for faces in a picture that has been decoded to the engine's working size.
    public func look(in picture: Picture) throws(UnreadablePicture) -> Detection {
        let faces = try engine.faces(in: picture).compactMap { $0.enlarged(to: picture) }
        return .counted(faces: faces, width: picture.fullWidth, height: picture.fullHeight)
    }
}
