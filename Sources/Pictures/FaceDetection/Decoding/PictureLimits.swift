/// The limits on a picture, applied to its header before anything is decoded.
public struct PictureLimits: Sendable {
    /// The most pixels of a page: a gigapixel.
    public var pixels = 1_000_000_000
    /// The most bytes for pictures that must be held in memory as a whole while they are decoded, such
    /// as progressive JPEGs and interlaced PNGs: 1 GiB.
    public var wholePictureBytes = 1 << 30
    /// The most bytes of a camera's RAW file, which has to be in memory for its preview: 1 GiB, five times what
    /// the largest sensors make.
    public var rawFileBytes = 1 << 30

    /// Creates the default limits.
    public init() {}

    /// The reason why a picture of this size is refused.
    func tooManyPixels(_ width: Int, _ height: Int) -> UnreadablePicture {
        UnreadablePicture("has \(width) x \(height) pixels; the limit is \(pixels)")
    }
}
