extension Picture {
    /// The picture with its longer side at most `side` pixels, each about the mean of those in its place.
    func shrunk(to side: Int, by shrinking: ShimCall.Shrinking = .looks) throws(UnreadablePicture) -> Picture
    {
        guard max(width, height) > side else { return self }
        let factor = Double(side) / Double(max(width, height))
        let small = (
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded()))
        )
        return Picture(
            pixels: try ShimCall.shrink(self, width: small.width, height: small.height, by: shrinking),
            width: small.width,
            height: small.height,
            fullWidth: fullWidth,
            fullHeight: fullHeight,
            orientation: orientation,
            format: format
        )
    }
}
