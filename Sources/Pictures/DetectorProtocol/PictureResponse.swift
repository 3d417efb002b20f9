/// A picture process's answer for a document; the bytes of the JPEG follow it on the pipe as they are.
public struct PictureResponse: Codable, Hashable, Sendable {
    /// The most bytes that a JPEG may have, whatever was asked for.
    public static let maximumLength = 16 << 20

    /// The request's id.
    public var id: Int64
    /// The number of bytes that follow; nil if the document is not a picture that can be read, or a fingerprint was
    /// wanted.
    public var length: Int?
    /// The fingerprint, 16 hexadecimal digits in lower case; nil if there is too little in the picture.
    public var fingerprint: String?
    /// The reason why the picture is unreadable.
    public var message: String?

    public init(id: Int64, length: Int? = nil, fingerprint: String? = nil, message: String? = nil) {
        self.id = id
        self.length = length
        self.fingerprint = fingerprint
        self.message = message
    }
}
