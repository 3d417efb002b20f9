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

        /// The members, which are always present; unknown values are null.
        public static let shape = Shape<ResponseJSON>(
            "ServerResponse",
            [
                Member(CodingKeys.contentType, \.contentType, about: "The Content-Type field."),
                Member(CodingKeys.etag, \.etag, about: "The ETag field."),
                Member(
                    CodingKeys.finalURL,
                    \.finalURL,
                    about: "The URL that answered, after all redirects; masked like url."
                ),
                Member(
                    CodingKeys.lastModified,
                    \.lastModified,
                    .time.orNull,
                    about: "The Last-Modified field; null if there was none, or it was no date."
                ),
                Member(CodingKeys.receivedAt, \.receivedAt, .time, about: "When the answer came."),
                Member(
                    CodingKeys.robots,
                    \.robots,
                    about: "The X-Robots-Tag fields, such as noai, joined by commas."
                ),
                Member(CodingKeys.status, \.status, .integer(from: 100, to: 599)),
            ]
        )
    }
}
