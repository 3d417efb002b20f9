/// One request that reached an origin.
public struct OriginRequest: Sendable {
    /// The number of requests for this path that came before: answers may change from one to the next.
    public var index: Int
    /// The method, as sent.
    public var method: String
    /// The request target, as sent: path and query.
    public var target: String
    /// The target without its query.
    public var path: String
    /// The header fields, names in lower case.
    public var headers: [String: String]
    /// The request's own body.
    public var body: [UInt8] = []
    /// Body bytes that were handed to the connection in answer, so far.
    public var bodyBytesSent = 0
    /// The time when it came.
    public var came = ContinuousClock.now
    /// The time when its answer was over, to its end or not; nil while it goes on.
    public var ended: ContinuousClock.Instant?

    /// A request as one came, or might come.
    public init(index: Int = 0, method: String, target: String, path: String, headers: [String: String]) {
        (self.index, self.method, self.target, self.path) = (index, method, target, path)
        self.headers = headers
    }

    /// A header field, by a name in any case.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// The first byte of `Range: bytes=N-` or `bytes=N-M`, and the last where given.
    public var range: (first: Int, last: Int?)? {
        guard let field = header("Range"), field.hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]) else { return nil }
        return (first, Int(ends[1]))
    }
}
