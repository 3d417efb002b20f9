extension JobJSON {
    /// A server's statements about a job's file.
    public struct ResponseJSON: APIObject {
        /// The URL that answered, after all redirects, with any password masked.
        public var finalURL: String
        /// The status code.
        public var status: Int
        /// The Content-Type field; nil if there was none.
        public var contentType: String?
        /// The time of the file's last modification (RFC 3339); nil if the server sent no valid one.
        public var lastModified: String?
        /// The ETag field; nil if there was none.
        public var etag: String?
        /// The X-Robots-Tag fields, joined by commas; nil if there was none.
        public var robots: String?
        /// The time when the answer came (RFC 3339).
        public var receivedAt: String

        enum CodingKeys: String, CodingKey {
            case finalURL = "final_url"
            case status
            case contentType = "content_type"
            case lastModified = "last_modified"
            case etag
            case receivedAt = "received_at"
            case robots
        }

        public init(
            finalURL: String,
            status: Int,
            contentType: String?,
            lastModified: String?,
            etag: String?,
            robots: String? = nil,
            receivedAt: String
        ) {
            self.finalURL = finalURL
            self.status = status
            self.contentType = contentType
            self.lastModified = lastModified
            self.etag = etag
            self.robots = robots
            self.receivedAt = receivedAt
        }

        public static let shape = Shape<ResponseJSON>("ServerResponse", CodingKeys.self) {
            $0.member(.contentType, \.contentType) { "The Content-Type field." }
            $0.member(.etag, \.etag) { "The ETag field." }
            $0.member(.finalURL, \.finalURL) {
                "The URL that answered, after all redirects; masked like url."
            }
            $0.member(.lastModified, \.lastModified, .time.orNull) {
                "The Last-Modified field; null if there was none, or it was no date."
            }
            $0.member(.receivedAt, \.receivedAt, .time) { "When the answer came." }
            $0.member(.robots, \.robots) { "The X-Robots-Tag fields, such as noai, joined by commas." }
            $0.member(.status, \.status, .integer(from: 100, to: 599))
        }
    }
}
