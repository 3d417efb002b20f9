import Vocabulary

/// A picture that a process is asked to make copies of.
public struct CopyRequest: Codable, Hashable, Sendable {
    /// The id that the answer repeats.
    public var id: Int64
    /// The picture's absolute path.
    public var path: String
    /// The name that the copies' names begin with, as far as that can be; its extension is replaced.
    public var name: String
    /// A part of the copies' names, behind the name, which no other picture has.
    public var mark: String
    /// The SHA-256 of the file in which those were found, in lower-case hexadecimal; nil if it isn't known.
    public var sha256: String?
    /// The faces that are known; nil if nobody has looked.
    public var faces: [Face]?
    /// The width of the upright picture in which those were found, in pixels.
    public var width: Int?
    /// The height of that picture.
    public var height: Int?

    public init(
        id: Int64,
        path: String,
        name: String,
        mark: String,
        sha256: String? = nil,
        faces: [Face]? = nil,
        width: Int? = nil,
        height: Int? = nil
    ) {
        self.id = id
        self.path = path
        self.name = name
        self.mark = mark
        self.sha256 = sha256
        self.faces = faces
        self.width = width
        self.height = height
    }
}
