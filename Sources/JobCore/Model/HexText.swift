extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal, two digits each, as checksums are written.
    // Inlinable, because a digest's bytes one after the other through a protocol take longer than hashing a
    // line.
    @inlinable public var hexText: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            digits.append(HexDigits.digit(byte >> 4))
            digits.append(HexDigits.digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// The digits of ``Swift/Sequence/hexText``.
@usableFromInline
enum HexDigits {
    @inlinable
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}
