/// A header field that a person wants sent with the request for one job.
///
/// Its value may be a secret: it is stored, and never shown or logged.
public struct RequestHeader: Hashable, Sendable, CustomStringConvertible {
    /// Why a field can't be sent.
    public enum Refusal: Error, Hashable, Sendable {
        /// The name is no token of RFC 9110 §5.6.2.
        case badName
        /// The value holds a control character: a line break would start a field of its own.
        case badValue
        /// The field is facefetch's own to send; carries its name.
        case reserved(String)

        /// One sentence for people, without a full stop.
        public var message: String {
            switch self {
            case .badName: "this is no name of a header field"
            case .badValue: "the value of a header field can't hold control characters"
            case .reserved(let name): "the header field \(name) is set by facefetch itself"
            }
        }
    }

    /// The field's name.
    public let name: String
    /// The field's value.
    public let value: String

    /// The name alone: the value stays out of logs.
    public var description: String { "\(name): …" }

    /// Fields that decide what the answer is, or where the next request begins.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "range", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Checks a field.
    public init(name: String, value: String) throws(Refusal) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { throw .badName }
        guard !value.unicodeScalars.contains(where: { ($0.value < 0x20 && $0 != "\t") || $0.value == 0x7F })
        else { throw .badValue }
        if Self.reserved.contains(name.lowercased()) { throw .reserved(name) }
        self.name = name
        self.value = value
    }

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
