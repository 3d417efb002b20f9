/// An engine that finds faces in a decoded picture.
public protocol FaceEngine {
    /// The engine's name in results: `haar` or `yunet`.
    var name: String { get }
    /// Everything that decides what is found in one look, so that a later change is known to redo this.
    var parameters: String { get }
    /// The sizes that pictures are looked at in, and which of them when.
    var ladder: LookLadder { get }
    /// Returns boxes that may be faces, in pixels of the picture as decoded, the surest first.
    ///
    /// Among them are some that the engine isn't sure of (``confidence(at:)``), which say where a
    /// larger look is worth its time. Throws when the engine itself gives up on the picture.
    func candidates(in picture: Picture) throws(UnreadablePicture) -> [EngineBox]
    /// As ``candidates(in:)``, of a larger look; a thorough one takes the time for whatever it may find.
    func candidates(in picture: Picture, isThorough: Bool) throws(UnreadablePicture) -> [EngineBox]
    /// Returns boxes that may still be faces in a part of a look where faces are hidden, or in an overview.
    func remains(in part: Picture) throws(UnreadablePicture) -> [EngineBox]
    /// The longer side of the small version that the engine looks at with the first look, for faces that fill
    /// the picture; nil if there is none.
    var overviewSize: Int? { get }
    /// The confidence from which a candidate is a face, in the look with this index of the ladder.
    func confidence(at look: Int) -> Double
    /// Returns whether a candidate is a face, in the look with this index of the ladder.
    func isFace(_ box: EngineBox, at look: Int) -> Bool
    /// Everything in the picture that might be a face, for whoever hides faces, from a lower threshold on
    /// than for counting; the surest first. `look` is the index of the look in the ladder.
    func possibleFaces(in picture: Picture, at look: Int) throws(UnreadablePicture) -> [PossibleFace]
    /// True if black in the place of a face may be taken for one, and parts of a picture are looked at as the
    /// whole is.
    var seesWhatIsHidden: Bool { get }
    /// Returns whether a larger look, which costs much, is likely to find anything; true where it costs
    /// little.
    func isWorthLooking(at picture: Picture) throws(UnreadablePicture) -> Bool
}

/// A box that might be a face.
public struct PossibleFace: Hashable, Sendable {
    /// Its box.
    public var box: EngineBox
    /// True if it is one when faces are counted.
    public var isCounted: Bool
    /// True if people are told of it; what is less sure is hidden without that, since it may look surer in a
    /// copy.
    public var isMentioned = true
}

extension FaceEngine {
    /// Black is black.
    public var seesWhatIsHidden: Bool { false }

    /// Returns whether a box is sure enough.
    public func isFace(_ box: EngineBox, at look: Int) -> Bool { box.confidence >= confidence(at: look) }

    /// All candidates.
    public func possibleFaces(
        in picture: Picture,
        at look: Int
    ) throws(UnreadablePicture) -> [PossibleFace] {
        try candidates(in: picture).map { PossibleFace(box: $0, isCounted: isFace($0, at: look)) }
    }

    /// A look like any other.
    public func candidates(in picture: Picture, isThorough: Bool) throws(UnreadablePicture) -> [EngineBox] {
        try candidates(in: picture)
    }

    /// A part is a picture like any other.
    public func remains(in part: Picture) throws(UnreadablePicture) -> [EngineBox] {
        try candidates(in: part)
    }

    /// All looks are in the ladder.
    public var overviewSize: Int? { nil }

    /// Looking is no dearer than asking.
    public func isWorthLooking(at picture: Picture) throws(UnreadablePicture) -> Bool { true }
}

/// The reason why an engine can't be used, as a sentence for the person who chose it.
public struct EngineFailure: Error, Hashable, CustomStringConvertible {
    /// The problem, and what to do about it.
    public let description: String

    init(_ description: String) { self.description = description }
}
