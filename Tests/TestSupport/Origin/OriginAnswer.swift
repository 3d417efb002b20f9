/// An answer of an origin, right or wrong.
public struct OriginAnswer: Sendable {
    /// The way the client is told where the body ends.
    public enum Framing: Sendable {
        /// By the right Content-Length.
        case contentLength
        /// By a Content-Length of this many bytes, right or not.
        case announced(Int)
        /// In chunks (RFC 9112 §7.1).
        case chunked
        /// By closing the connection.
        case untilClose
    }

    /// The way a connection ends in mid-body.
    public enum Cut: Sendable {
        /// In good order (FIN).
        case close
        /// With a reset (RST).
        case reset
    }

    /// The status code.
    public var status: Int
    /// The header fields, in order; the framing's own are added.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: OriginBody
    /// The framing of the body.
    public var framing = Framing.contentLength
    /// Body bytes after which the connection ends, and how.
    public var cut: (after: Int, how: Cut)?
    /// Body bytes a second.
    public var bytesPerSecond: Int?
    /// The places where the origin waits: before this byte of the body, or with −1 before the head.
    public var gates: [(offset: Int, gate: OriginGate)] = []
    /// Sent in place of head and body; then the connection ends.
    public var raw: [UInt8]?
    /// Bytes sent behind the body, which nobody has asked for.
    public var strays: [UInt8] = []
    /// True if they go out along with the last piece of the body.
    public var hasStraysAtOnce = false
    /// Header fields without end, or one without end.
    public var endlessHead: EndlessHead?

    /// A head that never ends.
    public enum EndlessHead: Sendable {
        /// Field after field.
        case fields
        /// One field whose value never ends.
        case value
    }

    /// An answer with a status, and perhaps header fields and a body.
    public init(_ status: Int, _ headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers.map { (name: $0.0, value: $0.1) }
        self.body = .bytes(body)
    }

    /// A redirect to a URL, absolute or relative.
    public static func redirect(_ location: String, status: Int = 302) -> OriginAnswer {
        OriginAnswer(
            status,
            [("Location", location), ("Content-Type", "text/html")],
            body: Array("moved".utf8)
        )
    }

    /// A login page, as captive portals and expired sessions send it with 200.
    public static var loginPage: OriginAnswer {
        OriginAnswer(
            200,
            [("Content-Type", "text/html; charset=utf-8")],
            body: Array("<form>Password?</form>".utf8)
        )
    }

    /// Bytes that are no HTTP.
    public static func garbage(_ bytes: [UInt8]) -> OriginAnswer {
        var answer = OriginAnswer(200)
        answer.raw = bytes
        return answer
    }

    /// The same with a field set to a value, or without it for nil.
    public func header(_ name: String, _ value: String?) -> OriginAnswer {
        with {
            $0.headers.removeAll { $0.name.lowercased() == name.lowercased() }
            if let value { $0.headers.append((name: name, value: value)) }
        }
    }

    /// The same, cut off after so many bytes of the body.
    public func cut(after count: Int, _ how: Cut = .close) -> OriginAnswer { with { $0.cut = (count, how) } }

    /// The same, framed otherwise.
    public func framed(_ framing: Framing) -> OriginAnswer { with { $0.framing = framing } }

    /// The same, at so many bytes a second.
    public func paced(bytesPerSecond: Int) -> OriginAnswer { with { $0.bytesPerSecond = bytesPerSecond } }

    /// The same, waiting at a gate before a byte of the body, or before the head.
    public func held(beforeByte offset: Int = -1, by gate: OriginGate) -> OriginAnswer {
        with { $0.gates.append((offset, gate)) }
    }

    /// The same with bytes behind the body.
    ///
    /// They go out once the answer has, or along with its last piece (`atOnce`), so that they are there before the next
    /// request can be sent.
    public func followed(by strays: [UInt8], atOnce: Bool = false) -> OriginAnswer {
        with { ($0.strays, $0.hasStraysAtOnce) = (strays, atOnce) }
    }

    /// The same with a head that never ends.
    public func endless(_ head: EndlessHead) -> OriginAnswer { with { $0.endlessHead = head } }

    private func with(_ change: (inout OriginAnswer) -> Void) -> OriginAnswer {
        var answer = self
        change(&answer)
        return answer
    }
}
