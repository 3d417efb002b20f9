/// A size in which documents are shown.
public enum PictureSize: String, CaseIterable, Sendable {
    case thumb, medium, large

    /// The longer side in pixels; a smaller document is never enlarged.
    public var side: Int {
        switch self {
        case .thumb: 400
        case .medium: 1440
        case .large: 2560
        }
    }

    /// The quality of the JPEG.
    public var quality: Int {
        switch self {
        case .thumb: 75
        case .medium, .large: 80
        }
    }

    /// The most bytes that the JPEG may have.
    public var limit: Int {
        switch self {
        case .thumb: 128 << 10
        case .medium: 4 << 20
        case .large: 12 << 20
        }
    }
}
