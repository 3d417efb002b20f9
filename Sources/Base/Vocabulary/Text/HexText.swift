extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal, two digits each, as checksums are written.
    // Inlinable, because a digest's bytes one after the other through a protocol take longer than hashing a
    // line.
    @inlinable public var hexText: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            digits.append(UInt8.hexDigit(byte >> 4))
            digits.append(UInt8.hexDigit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns whether the bytes are `count` digits in hexadecimal, and nothing else.
    @inlinable public func isHex(count: Int) -> Bool {
        var found = 0
        for byte in self {
            guard byte.hexValue != nil, found < count else { return false }
            found += 1
        }
        return found == count
    }
}

extension Collection<UInt8> {
    /// The number that the bytes are the hexadecimal digits of, and nothing else; nil for anything else, for no
    /// digits, and for more than 32 bits.
    ///
    /// `UInt32(_:radix:)` would take a sign as well.
    @inlinable public var hexNumber: UInt32? {
        guard !isEmpty else { return nil }
        var number: UInt32 = 0
        for byte in self {
            guard let digit = byte.hexValue, number >> 28 == 0 else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number in lower-case hexadecimal with its leading zeros, two digits for each byte.
    public var hexText: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}

extension UInt8 {
    /// Returns the lower-case digit of a number below 16.
    @inlinable public static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The value of the byte as a hexadecimal digit of either case; nil if it is none.
    @inlinable public var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
