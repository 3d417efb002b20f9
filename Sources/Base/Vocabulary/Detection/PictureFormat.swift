/// A format of pictures that can be decoded.
///
/// The raw values are stored, and are the words of the API.
public enum PictureFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, gif, tiff, heif
    /// A camera's RAW file, of which the preview is looked at; size and orientation are that one's.
    case raw
    /// A bitmap of Windows or OS/2.
    case bmp
    /// JPEG XL, in boxes or bare.
    case jxl
    /// JPEG 2000, in boxes or bare.
    case jp2
}
