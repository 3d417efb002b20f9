import Vocabulary

/// A face cut out of a picture.
public enum FaceCrop {
    /// Cuts out a face with a margin around it; nil if it lies outside of the picture.
    ///
    /// The face is in pixels of the picture at full resolution, whatever size that was decoded to.
    public static func cut(_ face: Face, from picture: Picture, square: Bool = false) -> Picture? {
        guard let face = face.inside(width: picture.fullWidth, height: picture.fullHeight) else { return nil }
        let frame = FaceFrame(
            around: face.shrunk(to: picture),
            square: square,
            width: picture.width,
            height: picture.height
        )
        return picture.part(frame)
    }

    /// Cuts out a face, turned and scaled so that its eyes, nose and mouth are where networks that tell
    /// faces apart expect them; nil if its landmarks aren't known, or are all in one place.
    public static func align(_ face: Face, from picture: Picture) -> Picture? {
        guard let points = face.shrunk(to: picture).landmarks,
            let alignment = FaceAlignment(points.map { .init(x: Double($0.x), y: Double($0.y)) })
        else { return nil }
        return alignment.apply(to: picture)
    }
}

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
