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
            if allows(byte) || byte == UInt8(ascii: "%") && Self.isEncoded(bytes[index...]) {
                result.append(byte)
            } else {
                result += Self.encoded(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns whether bytes begin with a percent sign and two hexadecimal digits.
    static func isEncoded(_ bytes: some Collection<UInt8>) -> Bool {
        let start = bytes.prefix(3)
        return start.count == 3 && start.first == UInt8(ascii: "%") && start.dropFirst().allSatisfy(isHex)
    }

    /// Returns a byte percent-encoded.
    static func encoded(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
