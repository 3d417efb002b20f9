/// A header field that a person asks to be sent with a job's request.
///
/// Its value may be a secret, so it is stored but never shown or logged.
public struct RequestHeader: Hashable, Sendable, CustomStringConvertible {
    /// The reason why a field can't be sent.
    public enum Refusal: Error, Hashable, Sendable {
        /// The name is not a token of RFC 9110 §5.6.2.
        case badName
        /// The value contains a control character, and a line break would start another field.
        case badValue
        /// Name and value together exceed ``RequestHeader/maximumLength`` bytes.
        case tooLong
        /// The field, whose name is given, is set by facefetch itself.
        case reserved(String)

        /// A sentence for people, without a full stop.
        public var message: String {
            switch self {
            case .badName: "this is not the name of a header field"
            case .badValue: "the value of a header field can't contain control characters"
            case .tooLong: "a header field may be at most \(RequestHeader.maximumLength) bytes long"
            case .reserved(let name): "the header field \(name) is set by facefetch itself"
            }
        }
    }

    /// The most bytes of a name and its value together, which is what most servers accept in one line.
    public static let maximumLength = 8190
    /// The most fields that one job may have.
    public static let maximumCount = 32

    /// The field's name.
    public let name: String
    /// The field's value.
    public let value: String

    /// The name alone, which keeps the value out of logs.
    public var description: String { "\(name): …" }

    /// Fields that only facefetch sets, because they determine the answer, the start of the next
    /// request, or what happens to the connection (RFC 9110 §7.6.1).
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-encoding", "content-length", "expect", "host",
        "http2-settings", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "keep-alive", "max-forwards", "proxy-authenticate", "proxy-authorization",
        "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade", "via",
    ]

    /// Creates a field after validating it.
    ///
    /// White space around the value is not part of it (RFC 9110 §5.5).
    public init(name: String, value: String) throws(Refusal) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { throw .badName }
        guard !value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else {
            throw .badValue
        }
        guard name.utf8.count + value.utf8.count <= Self.maximumLength else { throw .tooLong }
        if Self.reserved.contains(name.lowercased()) { throw .reserved(name) }
        self.name = name
        let inner = value.utf8.drop(while: Self.isSpace)
        let length = inner.reversed().drop(while: Self.isSpace).count
        self.value = String(Substring(inner.prefix(length)))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
