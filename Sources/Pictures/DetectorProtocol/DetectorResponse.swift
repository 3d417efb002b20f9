import Vocabulary

/// A detector's answer for a document.
public struct DetectorResponse: Codable, Hashable, Sendable {
    /// The outcome of detection.
    ///
    /// Crashes and time-outs are noticed by the daemon, not reported by the detector.
    public enum Outcome: String, Codable, Sendable {
        /// The picture was read and its faces counted.
        case counted
        /// The document is not a picture that can be read.
        case unreadable
    }

    /// The most faces in an answer; if there are more, the surest ones.
    public static let maximumFaceCount = 4096

    /// The message where the documents directory can't be opened, and so nothing in it.
    public static let noDirectory = "can't be opened, nor can its directory"

    /// The request's id.
    public var id: Int64
    /// The outcome of detection.
    public var outcome: Outcome
    /// The faces if they were counted, the surest first.
    public var faces: [Face]
    /// The width of the upright picture in pixels; 0 if it wasn't read.
    public var width: Int
    /// The height of the upright picture in pixels; 0 if it wasn't read.
    public var height: Int
    /// The orientation of the picture in its file, 1 to 8 (EXIF 2.32, tag 0x0112); nil if it wasn't
    /// read.
    public var orientation: Int?
    /// The format of the file: `jpeg`, `png`, `webp`, `gif`, `tiff`, `heif`, `raw`, `bmp`, `jxl` or `jp2`; nil if it wasn't
    /// read.
    public var format: String?
    /// The longer sides of what was looked at, in pixels, in the order of the looks; nil when it wasn't read.
    public var looks: [Int]?
    /// True if much of the file's data is damaged; nil if it isn't, or the picture wasn't read.
    public var damaged: Bool?
    /// The fingerprint of the picture, 16 hexadecimal digits in lower case; nil if there is too little in it, or it
    /// wasn't read.
    public var fingerprint: String?
    /// The angle in degrees by which the picture was turned clockwise when the faces were found; nil if it wasn't.
    public var turned: Int?
    /// The engine that looked.
    public var engine: String
    /// The engine's parameters.
    public var parameters: String
    /// The seconds that detection took, including decoding, by the detector's clock; the daemon has its
    /// own.
    public var seconds: Double
    /// The reason why the picture is unreadable.
    public var message: String?
    /// The number of bytes that follow on the pipe as they are: the thumbnail, a JPEG; nil if there is none.
    public var thumbnailLength: Int?

    public init(
        id: Int64,
        outcome: Outcome,
        faces: [Face] = [],
        width: Int = 0,
        height: Int = 0,
        orientation: Int? = nil,
        format: String? = nil,
        looks: [Int]? = nil,
        engine: String,
        parameters: String,
        seconds: Double,
        message: String? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.faces = faces
        self.width = width
        self.height = height
        self.orientation = orientation
        self.format = format
        self.looks = looks
        self.engine = engine
        self.parameters = parameters
        self.seconds = seconds
        self.message = message
    }
}
