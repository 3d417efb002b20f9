/// The limits of a picture, applied to its header before anything is decoded.
public struct PictureLimits: Sendable {
    /// Pixels of one page: a gigapixel.
    public var pixels = 1_000_000_000
    /// Bytes for pictures that have to be held whole while they are decoded,
    /// such as progressive JPEGs and interlaced PNGs: 1 GiB.
    public var wholePictureBytes = 1 << 30

    /// The limits that a detector works under unless told otherwise.
    public init() {}
}
