/// A face, as a box in pixels of the upright picture at full resolution.
public struct FoundFace: Hashable, Sendable {
    /// Pixels from the left edge to the box.
    public var x: Int
    /// Pixels from the top edge to the box.
    public var y: Int
    /// Width of the box in pixels.
    public var width: Int
    /// Height of the box in pixels.
    public var height: Int
    /// How sure the engine is; see ``HaarEngine`` and ``YuNetEngine`` for what it means.
    public var confidence: Double
}
