/// A face that is painted, as the square in which a cascade sees it.
///
/// The square reaches from above the brows to below the mouth; the head
/// around it is a little larger.
public struct PaintedFace: Hashable, Sendable {
    /// Pixels from the left edge of the upright picture.
    public var x: Int
    /// Pixels from the top edge of the upright picture.
    public var y: Int
    /// The side of the square in pixels; cascades need 24 or more at working size.
    public var side: Int

    /// A face in a square.
    public init(x: Int, y: Int, side: Int) {
        self.x = x
        self.y = y
        self.side = side
    }
}
