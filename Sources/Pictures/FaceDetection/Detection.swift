import Vocabulary

/// The outcome of looking for faces in a document.
public enum Detection: Sendable {
    /// The picture was read, and this is what was seen.
    case counted(Findings)
    /// The document can't be looked at, and why.
    case unreadable(reason: String)
}

/// The findings in a picture that could be read.
public struct Findings: Hashable, Sendable {
    /// The faces, the surest first.
    public var faces: [Face]
    /// Width of the upright picture in pixels.
    public var width: Int
    /// Height of the upright picture in pixels.
    public var height: Int
    /// The picture's orientation in its file, 1 to 8 (EXIF 2.32, tag 0x0112).
    public var orientation: Int
    /// The format of its file.
    public var format: PictureFormat
    /// The longer sides, in pixels, of what was looked at, in the order of the looks.
    public var looks: [Int]
    /// True if much of the file's data is damaged, so that faces may be missing.
    public var isDamaged = false
    /// The fingerprint of the picture; nil if there is too little in it.
    public var fingerprint: Fingerprint?
    /// The angle in degrees by which the picture was turned clockwise when the faces were found; nil if it wasn't.
    public var turned: Int?
}
