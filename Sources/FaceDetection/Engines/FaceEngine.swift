/// A way to find faces in a decoded picture.
public protocol FaceEngine {
    /// The name that results carry: `haar` or `yunet`.
    var name: String { get }
    /// Everything that decides what is found, so that a later change is known to redo this.
    var parameters: String { get }
    /// The long side that pictures are decoded to, in pixels.
    var workingSize: Int { get }
    /// The faces, in pixels of the picture as decoded, the surest first.
    ///
    /// Throws when the engine itself gives up on the picture.
    func faces(in picture: Picture) throws(UnreadablePicture) -> [EngineBox]
}
