/// The characters that may stand in a part of a URL as they are (RFC 3986 §3); all others are
/// percent-encoded.
struct URLCharacters: Sendable {
    /// The characters of a user's name and password.
    static let user = URLCharacters("!$&'()*+,;=:")
    /// The characters of a host's name and its port.
    static let host = URLCharacters("!$&'()*+,;=:")
    /// The characters of a path.
    static let path = URLCharacters("!$&'()*+,;=:@/")
    /// The characters of a query.
    static let query = URLCharacters("!$&'()*+,;=:@/?")

    private let areAllowed: [Bool]

    /// The unreserved characters (RFC 3986 §2.3), and some more.
    private init(_ more: String) {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let allowed = Set((letters + letters.uppercased() + "0123456789-._~" + more).utf8)
        areAllowed = (0...255).map { allowed.contains(UInt8($0)) }
    }

    /// Returns whether a byte may stand as it is.
    func allows(_ byte: UInt8) -> Bool { areAllowed[Int(byte)] }

    /// Percent-encodes the bytes that may not stand as they are (RFC 3986 §2.1).
    ///
    /// A percent sign with two hexadecimal digits after it has been encoded, so it stays; people also copy
    /// half-encoded URLs. Any other percent sign stands for itself.
    func encoding(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        for (index, byte) in bytes.enumerated() {
            if allows(byte) || byte == UInt8(ascii: "%") && PercentEncoding.begins(bytes[index...]) {
                result.append(byte)
            } else {
                result += PercentEncoding.encoded(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
