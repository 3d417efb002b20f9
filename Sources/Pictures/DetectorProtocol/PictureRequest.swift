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
