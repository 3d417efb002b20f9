import CVips

/// A picture that couldn't be encoded, and libvips' reason.
public struct PaintingFailure: Error, CustomStringConvertible {
    /// What libvips said.
    public let description: String

    init() {
        description = String(cString: vips_error_buffer())
        vips_error_clear()
    }
}
