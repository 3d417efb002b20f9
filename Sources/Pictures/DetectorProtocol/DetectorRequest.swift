/// A request to look at a document.
public struct DetectorRequest: Codable, Hashable, Sendable {
    /// The id that the answer repeats: a number that can't be guessed, so that nobody can answer before
    /// being asked.
    public var id: Int64
    /// The document's absolute path.
    public var path: String
    /// The engine to use, one of the greeting's; nil for its first.
    public var engine: String?
    /// The thumbnail to make of the picture in passing; nil for none.
    public var thumbnail: Thumbnail?

    /// A small picture to be made.
    public struct Thumbnail: Codable, Hashable, Sendable {
        /// The longer side in pixels; a smaller picture is never enlarged.
        public var side: Int
        /// The quality of the JPEG, 1 to 100.
        public var quality: Int
        /// The most bytes that the JPEG may have.
        public var limit: Int

        public init(side: Int, quality: Int, limit: Int) {
            self.side = side
            self.quality = quality
            self.limit = limit
        }
    }

    public init(id: Int64, path: String, engine: String? = nil, thumbnail: Thumbnail? = nil) {
        self.id = id
        self.path = path
        self.engine = engine
        self.thumbnail = thumbnail
    }
}
