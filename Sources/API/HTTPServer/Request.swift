import HTTPTypes

/// The head of a request, with its target in two parts.
public struct Request: Sendable {
    /// The head as received.
    public let head: HTTPRequest
    /// The target's path, percent-encoded as it was sent.
    public let path: String
    /// The target's query, without the question mark; nil if there is none.
    public let query: String?

    /// Takes the head of a request apart.
    public init(_ head: HTTPRequest) {
        self.head = head
        // Not by characters, of which one may be a question mark with an accent on it.
        let target = (head.path ?? "").utf8
            .split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = target[0].isEmpty ? "/" : String(Substring(target[0]))
        query = target.count > 1 ? String(Substring(target[1].prefix { $0 != UInt8(ascii: "#") })) : nil
    }

    /// The method.
    public var method: HTTPRequest.Method { head.method }
    /// The header fields.
    public var headers: HTTPFields { head.headerFields }

    /// The number of bytes that the head announces for the body, where it does; one that no `Int` can have is the
    /// largest.
    public var announcedLength: Int? {
        headers[.contentLength].flatMap { UInt64($0) }.map { Int(clamping: $0) }
    }

    /// True if nothing follows the head, going by the fields that would announce it (RFC 9112 §6.3).
    public var hasNoBody: Bool {
        headers[.transferEncoding] == nil && (headers[.contentLength] ?? "0") == "0"
    }
}
