/// A document of which a picture process is asked to make a JPEG, or a fingerprint.
public struct PictureRequest: Codable, Hashable, Sendable {
    /// Comes back with the answer: a number that can't be guessed.
    public var id: Int64
    /// The document's absolute path.
    public var path: String
    /// The longer side of the JPEG, in pixels; a smaller picture is never enlarged.
    public var side: Int
    /// The quality of the JPEG, 1 to 100.
    public var quality: Int
    /// The most bytes that the JPEG may have; it gets a lower quality where it has more.
    public var limit: Int
    /// True if a fingerprint is wanted instead, of the picture decoded to ``side``.
    public var wantsFingerprint: Bool?

    public init(
        id: Int64,
        path: String,
        side: Int,
        quality: Int,
        limit: Int,
        wantsFingerprint: Bool? = nil
    ) {
        self.id = id
        self.path = path
        self.side = side
        self.quality = quality
        self.limit = limit
        self.wantsFingerprint = wantsFingerprint
    }
}

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
