import Vocabulary

/// A picture as described by its decoder.
public struct SeenPicture: Hashable, Sendable {
    /// The width of the upright picture at full resolution, in pixels.
    public let width: Int
    /// The height of the upright picture at full resolution, in pixels.
    public let height: Int
    /// The orientation of the picture in its file, 1 to 8 (EXIF 2.32, tag 0x0112); 1 if the file doesn't
    /// say.
    public let orientation: Int
    /// The format of the file.
    public let format: PictureFormat
    /// True if much of the file's data is damaged, so that faces may be missing.
    public var isDamaged = false
    /// The fingerprint of the picture; nil if there is too little in it, or none was made.
    public var fingerprint: Fingerprint?
    /// True if it is known that there is too little in the picture for a fingerprint, since one was wanted later.
    public var isFlat = false
    /// The angle in degrees by which the picture was turned clockwise when its faces were found; nil if it wasn't.
    public var turned: Int?

    /// The possible lengths of a side in pixels, as far as any format goes; sums of two can't overflow.
    public static let sides = 1...Int(Int32.max)

    /// Creates a description of a picture; nil if it is impossible.
    public init?(width: Int, height: Int, orientation: Int, format: String) {
        guard Self.sides.contains(width), Self.sides.contains(height), (1...8).contains(orientation),
            let format = PictureFormat(rawValue: format)
        else { return nil }
        self.width = width
        self.height = height
        self.orientation = orientation
        self.format = format
    }
}
