/// A rectangle in pixels, measured from the top left corner of a picture.
public struct Box: Hashable, Sendable {
    /// The distance from the left edge in pixels.
    public var x: Int
    /// The distance from the top edge in pixels.
    public var y: Int
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Returns the part within a picture of this size: at least one pixel, so that no face is lost.
    func clamped(to size: Size) -> Box {
        let left = min(max(0, x), size.width - 1)
        let top = min(max(0, y), size.height - 1)
        let right = min(max(left + 1, end(x, width)), size.width)
        let bottom = min(max(top + 1, end(y, height)), size.height)
        return Box(x: left, y: top, width: right - left, height: bottom - top)
    }

    private func end(_ start: Int, _ length: Int) -> Int {
        let (sum, isTooLarge) = start.addingReportingOverflow(length)
        return isTooLarge ? (start > 0 ? .max : .min) : sum
    }
}

/// The size of a picture in pixels.
public struct Size: Hashable, Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
