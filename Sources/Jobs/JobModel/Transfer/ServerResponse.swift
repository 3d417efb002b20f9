import Vocabulary

/// A server's statements about the file that a document is, and their origin and time.
///
/// They are those of the answer that brought the file's first byte: a transfer that goes on later has proven
/// that it is the same file.
public struct ServerResponse: Hashable, Sendable {
    /// The URL that answered, after all redirects, with any password masked; nil if it is the job's own.
    public var finalURL: String?
    /// The status code, such as 200.
    public var status: Int
    /// The Content-Type field, verbatim.
    public var contentType: String?
    /// The time of the file's last modification according to the server; nil if it sent no valid one.
    public var lastModified: Timestamp?
    /// The ETag field, verbatim, even if weak.
    public var entityTag: String?
    /// The X-Robots-Tag fields, joined by commas; nil if there was none.
    public var robots: String?
    /// The time when the answer came.
    public var receivedAt: Timestamp

    /// The longest Content-Type kept, in bytes; a type has two names of at most 127 bytes (RFC 6838 §4.2), and
    /// parameters.
    static let longestType = 512
    /// The longest X-Robots-Tag kept, in bytes; most are a few words.
    static let longestRobots = 512
    /// The longest entity tag kept, in bytes.
    static let longestTag = Validator.maximumLength

    /// Keeps an answer's statements within their limits; what is longer is cut.
    public init(
        finalURL: String?,
        status: Int,
        contentType: String? = nil,
        lastModified: Timestamp? = nil,
        entityTag: String? = nil,
        robots: String? = nil,
        receivedAt: Timestamp
    ) {
        self.finalURL = finalURL.map { Self.line($0, JobURL.maximumLength) }
        self.status = status
        self.contentType = contentType.map { Self.line($0, Self.longestType) }
        self.lastModified = lastModified
        self.entityTag = entityTag.map { Self.line($0, Self.longestTag) }
        self.robots = robots.map { Self.line($0, Self.longestRobots) }
        self.receivedAt = receivedAt
    }

    /// Returns a stranger's text as one line of at most `limit` bytes.
    private static func line(_ text: String, _ limit: Int) -> String {
        // Almost no field has any, and this is done for each file.
        guard text.utf8.count > limit || text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return text
        }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        return String(scalars).limited(toBytes: limit)
    }
}

extension ServerResponse {
    /// The statements as text, for the store: a line each, empty for what isn't known.
    public var text: String {
        let received = String(receivedAt.microseconds)
        let modified = lastModified.map { String($0.microseconds) }
        return [String(status), received, modified, finalURL, contentType, entityTag, robots]
            .map { $0 ?? "" }.joined(separator: "\n")
    }

    /// Reads a ``text``, of which damage can have made anything; nil if it isn't one.
    ///
    /// Lines after the known ones are those of later versions.
    public init?(text: String) {
        // By bytes: a line end after a carriage return would be one character with it.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard lines.count >= 7, let status = Int(lines[0]), (100...599).contains(status),
            let received = Int64(lines[1])
        else { return nil }
        func known(_ index: Int) -> String? { lines[index].isEmpty ? nil : lines[index] }
        self.init(
            finalURL: known(3),
            status: status,
            contentType: known(4),
            lastModified: Int64(lines[2]).map { Timestamp(stored: $0) },
            entityTag: known(5),
            robots: known(6),
            receivedAt: Timestamp(stored: received)
        )
    }
}

extension ServerResponse {
    /// Returns the time of modification for the document, in seconds since 1970; nil if the server's isn't one to
    /// go by.
    ///
    /// A file can't have been changed later than now (RFC 9110 §8.8.2.1). Servers that don't know when say 1970,
    /// and what is earlier is older than any file.
    public func modificationTime(asOf now: Timestamp) -> Int64? {
        guard let lastModified, lastModified <= now else { return nil }
        let seconds = lastModified.microseconds / 1_000_000
        return seconds > 0 ? seconds : nil
    }
}
