import Vocabulary

extension Face {
    /// The face in a picture of this size, which somebody else has looked at; nil if it is outside of it.
    public func inside(width fullWidth: Int, height fullHeight: Int) -> Face? {
        guard (0..<fullWidth).contains(x), (0..<fullHeight).contains(y), width > 0, height > 0 else {
            return nil
        }
        var face = self
        face.width = min(width, fullWidth - x)
        face.height = min(height, fullHeight - y)
        face.landmarks = landmarks?.map { point in
            Point(x: min(max(0, point.x), fullWidth), y: min(max(0, point.y), fullHeight))
        }
        return face
    }
}
