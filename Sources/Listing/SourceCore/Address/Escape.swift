import Vocabulary

/// An escape at the beginning of bytes: what it stands for, and its length.
struct Escape {
    /// The bytes that it stands for.
    let bytes: [UInt8]
    /// The length of its spelling, in bytes.
    let length: Int

    /// Reads an escape; nil where there is none.
    init?(_ text: ArraySlice<UInt8>) {
        let rest = text.dropFirst()
        switch text.first {
        case UInt8(ascii: "%"):
            guard let byte = Self.hexNumber(rest, digits: 2) else { return nil }
            (bytes, length) = ([UInt8(truncatingIfNeeded: byte)], 3)
        case UInt8(ascii: "\\"):
            guard let read = Self.backslash(rest) else { return nil }
            (bytes, length) = read
        case UInt8(ascii: "&"):
            guard let read = Self.reference(rest) else { return nil }
            (bytes, length) = read
        default: return nil
        }
    }

    // MARK: - JSON and JavaScript

    private static let letters: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "f"): 0x0C,
    ]

    private static func backslash(_ rest: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        guard let first = rest.first else { return nil }
        let digits = rest.dropFirst()
        switch first {
        case UInt8(ascii: "u"):
            guard let unit = hexNumber(digits, digits: 4) else { return nil }
            guard (0xD800...0xDBFF).contains(unit) else { return utf8(unit).map { ($0, 6) } }
            let second = digits.dropFirst(4)
            guard second.starts(with: "\\u".utf8), let low = hexNumber(second.dropFirst(2), digits: 4),
                (0xDC00...0xDFFF).contains(low)
            else { return nil }
            return utf8(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)).map { ($0, 12) }
        case UInt8(ascii: "x"):
            return hexNumber(digits, digits: 2).flatMap(utf8).map { ($0, 4) }
        default:
            if let control = letters[first] { return ([control], 2) }
            return "\"\\/'".utf8.contains(first) ? ([first], 2) : nil
        }
    }

    // MARK: - HTML and XML

    /// The named references of ASCII (HTML §13.5).
    private static let names: [String: UInt8] = {
        let all = """
            amp & lt < gt > quot " apos ' plus + sol / equals = num # percnt % lowbar _ period . comma , colon : \
            semi ; excl ! dollar $ ast * midast * lpar ( rpar ) lsqb [ lbrack [ rsqb ] rbrack ] lcub { lbrace { \
            rcub } rbrace } verbar | vert | bsol \\ grave ` quest ? commat @ Hat ^ AMP & LT < GT > QUOT "
            """
        let words = all.split(separator: " ")
        return stride(from: 0, to: words.count - 1, by: 2).reduce(into: [:]) { names, index in
            names[String(words[index])] = words[index + 1].utf8.first
        }
    }()
    private static let longestName = 8

    private static func reference(_ rest: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        guard rest.first == UInt8(ascii: "#") else {
            let name = rest.prefix(longestName).prefix(while: isWord)
            guard rest.dropFirst(name.count).first == UInt8(ascii: ";"),
                let byte = names[String(decoding: name, as: UTF8.self)]
            else { return nil }
            return ([byte], name.count + 2)
        }
        let isHexadecimal = rest.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let prefix = isHexadecimal ? 2 : 1
        let digits = rest.dropFirst(prefix).prefix(12).prefix { isHexadecimal ? isHex($0) : isDigit($0) }
        let number = isHexadecimal ? digits.hexNumber : UInt32(String(decoding: digits, as: UTF8.self))
        guard let bytes = number.flatMap(utf8) else { return nil }
        // Browsers do without the semicolon.
        let hasEnd = rest.dropFirst(prefix + digits.count).first == UInt8(ascii: ";")
        return (bytes, 1 + prefix + digits.count + (hasEnd ? 1 : 0))
    }

    // MARK: - Digits

    private static func hexNumber(_ text: ArraySlice<UInt8>, digits: Int) -> UInt32? {
        text.count >= digits ? text.prefix(digits).hexNumber : nil
    }

    private static func utf8(_ scalar: UInt32) -> [UInt8]? {
        Unicode.Scalar(scalar).flatMap { UTF8.encode($0) }.map(Array.init)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isHex(_ byte: UInt8) -> Bool { byte.hexValue != nil }

    /// Returns whether a byte is a letter or a digit of ASCII.
    static func isWord(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) }
}
