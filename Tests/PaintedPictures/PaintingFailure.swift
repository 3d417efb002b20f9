import CPictures

/// A picture that couldn't be encoded, and libvips' reason.
public struct PaintingFailure: Error, CustomStringConvertible {
    /// The words of libvips.
    public let description: String

    init() {
        description = String(cString: vips_error_buffer())
        vips_error_clear()
    }
}
