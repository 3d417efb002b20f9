/// A picture as its decoder has described it.
public struct SeenPicture: Hashable, Sendable {
    /// The formats that are decoded.
    public enum Format: String, CaseIterable, Sendable {
        case jpeg, png, webp, gif, tiff, heif
    }

    /// Width of the upright picture at full resolution, in pixels.
    public let width: Int
    /// Height of the upright picture at full resolution, in pixels.
    public let height: Int
    /// How the picture lies in its file, 1 to 8 (EXIF 2.32, tag 0x0112); 1 where nothing is said of that.
    public let orientation: Int
    /// The format of the file.
    public let format: Format

    /// No format that is read has longer sides; sums of two of them stay far from overflowing.
    public static let sides = 1...Int(Int32.max)

    /// A picture; nil for one that there can't be.
    public init?(width: Int, height: Int, orientation: Int, format: String) {
        guard Self.sides.contains(width), Self.sides.contains(height), (1...8).contains(orientation),
            let format = Format(rawValue: format)
        else { return nil }
        self.width = width
        self.height = height
        self.orientation = orientation
        self.format = format
    }
}
