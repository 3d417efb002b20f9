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
        let target = (head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = target[0].isEmpty ? "/" : String(target[0])
        query = target.count > 1 ? String(target[1].prefix { $0 != "#" }) : nil
    }

    /// The method.
    public var method: HTTPRequest.Method { head.method }
    /// The header fields.
    public var headers: HTTPFields { head.headerFields }

    /// True if nothing follows the head, going by the fields that would announce it (RFC 9112 §6.3).
    public var hasNoBody: Bool {
        headers[.transferEncoding] == nil && (headers[.contentLength] ?? "0") == "0"
    }
}
