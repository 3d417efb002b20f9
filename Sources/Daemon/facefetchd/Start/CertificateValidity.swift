import Glibc

/// The time for which a certificate is good.
enum CertificateValidity {
    /// Returns the end of a certificate's validity in seconds since 1970; nil for what is no certificate.
    ///
    /// By RFC 5280 §4.1: a sequence of which the first part has an optional version, a serial number, an
    /// algorithm, an issuer, and the validity, which is two times.
    static func end(of certificate: [UInt8]) -> Int64? {
        var outer = DERReader(certificate[...])
        guard var whole = outer.sequence(), var part = whole.sequence() else { return nil }
        var field = part.next()
        // The version, [0] EXPLICIT.
        if field?.tag == 0xA0 { field = part.next() }
        // The serial number; then the algorithm and the issuer.
        guard field?.tag == 0x02, part.sequence() != nil, part.sequence() != nil,
            var validity = part.sequence(), validity.next() != nil, let end = validity.next()
        else { return nil }
        return seconds(end.tag, end.content)
    }

    /// Reads a time (RFC 5280 §4.1.2.5).
    private static func seconds(_ tag: UInt8, _ content: ArraySlice<UInt8>) -> Int64? {
        guard tag == 0x17 || tag == 0x18, content.last == UInt8(ascii: "Z") else { return nil }
        let digits = content.dropLast()
        let isShort = tag == 0x17
        guard digits.count == (isShort ? 12 : 14), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        var numbers = digits.map { Int32($0 - 0x30) }[...]
        func number(of count: Int) -> Int32 {
            defer { numbers = numbers.dropFirst(count) }
            return numbers.prefix(count).reduce(0) { $0 * 10 + $1 }
        }
        let year = number(of: isShort ? 2 : 4)
        var parts = tm()
        parts.tm_year = isShort ? (year < 50 ? year + 100 : year) : year - 1900
        parts.tm_mon = number(of: 2) - 1
        parts.tm_mday = number(of: 2)
        parts.tm_hour = number(of: 2)
        parts.tm_min = number(of: 2)
        parts.tm_sec = number(of: 2)
        return Int64(timegm(&parts))
    }
}

/// Reads what is encoded by DER (X.690 §8.1), one value behind the other.
private struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Reads a value; nil where there is none, or one that is broken or longer than there is room for.
    mutating func next() -> (tag: UInt8, content: ArraySlice<UInt8>)? {
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return (tag, rest.prefix(length))
    }

    /// Reads a sequence.
    mutating func sequence() -> DERReader? {
        guard let value = next(), value.tag == 0x30 else { return nil }
        return DERReader(value.content)
    }
}
