/// An engine that finds faces in a decoded picture.
public protocol FaceEngine {
    /// The engine's name in results: `haar` or `yunet`.
    var name: String { get }
    /// Everything that decides what is found in one look, so that a later change is known to redo this.
    var parameters: String { get }
    /// The sizes that pictures are looked at in, and which of them when.
    var ladder: LookLadder { get }
    /// What may be faces, in pixels of the picture as decoded, the surest first.
    ///
    /// Among them are some that the engine isn't sure of (``confidence(at:)``), which say where a
    /// larger look is worth its time. Throws when the engine itself gives up on the picture.
    func candidates(in picture: Picture) throws(UnreadablePicture) -> [EngineBox]
    /// The confidence from which a candidate is a face, in the look with this index of the ladder.
    func confidence(at look: Int) -> Double
    /// Whether a larger look, which costs much, is likely to find anything; true where it costs little.
    func isWorthLooking(at picture: Picture) throws(UnreadablePicture) -> Bool
}

extension FaceEngine {
    /// Looking is no dearer than asking.
    public func isWorthLooking(at picture: Picture) throws(UnreadablePicture) -> Bool { true }
}
