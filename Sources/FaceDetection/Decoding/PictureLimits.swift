/// The limits on a picture, applied to its header before anything is decoded.
public struct PictureLimits: Sendable {
    /// The most pixels of a page: a gigapixel.
    public var pixels = 1_000_000_000
    /// The most bytes for pictures that must be held in memory as a whole while they are decoded, such
    /// as progressive JPEGs and interlaced PNGs: 1 GiB.
    public var wholePictureBytes = 1 << 30

    /// Creates the default limits.
    public init() {}
}
