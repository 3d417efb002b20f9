import CPictures

/// A picture as a JPEG that holds its pixels and nothing else.
///
/// It is encoded here, from pixels, so that the process that decoded the document has no hand in what is
/// handed out, and no profile, position or comment of the document is in it.
public struct PlainJPEG: Sendable {
    /// The file's contents.
    public let bytes: [UInt8]

    /// Encodes a picture, shrunk until its longer side is at most `side`, with a lower quality if it would
    /// have more than `limit` bytes otherwise.
    ///
    /// It is shrunk here: of pixels that are in memory libvips' resampling takes ten times as long, which for a
    /// picture of the web is a tenth of a look.
    ///
    /// With `isSubsampled` it has colours at half its resolution, whatever the quality.
    ///
    /// - Throws: ``UnreadablePicture`` if libvips can't encode it within the limit.
    public init(
        _ picture: Picture,
        side: Int = .max,
        quality: Int,
        isSubsampled: Bool = false,
        limit: Int
    ) throws(UnreadablePicture) {
        let image = try VipsImageBox.holding(try picture.shrunk(to: side, by: .means))
        var quality = quality
        while true {
            var bytes: UnsafeMutableRawPointer?
            var size = 0
            let status = CVips_plain_jpeg(
                image.image,
                &bytes,
                &size,
                Int32(quality),
                isSubsampled ? 1 : 0
            )
            guard status == 0, let bytes else { throw VipsLibrary.takeError() }
            defer { g_free(bytes) }
            if size <= limit {
                self.bytes = Array(UnsafeRawBufferPointer(start: bytes, count: size))
                return
            }
            quality -= 15
            guard quality > 0 else { throw UnreadablePicture("has no JPEG of \(limit) bytes") }
        }
    }
}
