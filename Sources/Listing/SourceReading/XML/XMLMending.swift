import Vocabulary

/// Repairs the most frequent errors in feeds.
enum XMLMending {
    /// HTML entities that feeds use without declaring them.
    private static let entities: [String: UInt32] = [
        "nbsp": 160, "iexcl": 161, "cent": 162, "pound": 163, "copy": 169, "laquo": 171, "reg": 174,
        "deg": 176,
        "plusmn": 177, "middot": 183, "raquo": 187, "frac12": 189, "iquest": 191, "Auml": 196, "Ouml": 214,
        "times": 215,
        "Uuml": 220, "szlig": 223, "agrave": 224, "aacute": 225, "acirc": 226, "atilde": 227, "auml": 228,
        "aring": 229,
        "aelig": 230, "ccedil": 231, "egrave": 232, "eacute": 233, "ecirc": 234, "euml": 235, "iacute": 237,
        "icirc": 238,
        "iuml": 239, "ntilde": 241, "oacute": 243, "ocirc": 244, "otilde": 245, "ouml": 246, "oslash": 248,
        "uacute": 250,
        "ucirc": 251, "uuml": 252, "ndash": 8211, "mdash": 8212, "lsquo": 8216, "rsquo": 8217, "sbquo": 8218,
        "ldquo": 8220, "rdquo": 8221, "bdquo": 8222, "bull": 8226, "hellip": 8230, "euro": 8364,
        "trade": 8482,
    ]

    /// Returns the repaired bytes; nil if there is nothing to repair.
    ///
    /// Nothing may come before the XML declaration (XML 1.0 §2.8). A stray ampersand becomes `&amp;`, and HTML entities
    /// become numeric references, except in CDATA sections and comments. Control characters, which XML has none of
    /// (§2.2), are left out, and so are references to them.
    static func mended(_ bytes: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 64)
        var index = declaration(bytes)
        var isChanged = index > 0
        while index < bytes.count {
            if bytes[index] == 0x3C, let end = literalEnd(bytes, index) {
                let literal = bytes[index..<end].filter { !isControl($0) }
                if literal.count < end - index { isChanged = true }
                output += literal
                index = end
            } else if isControl(bytes[index]) {
                isChanged = true
                index += 1
            } else if bytes[index] == 0x26 {
                let (replacement, length) = reference(bytes, index)
                if let replacement {
                    isChanged = true
                    output += Array(replacement.utf8)
                } else {
                    output += bytes[index..<index + length]
                }
                index += length
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return isChanged ? output : nil
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte)
    }

    /// Returns where the XML declaration begins behind a byte order mark and white space; 0 if it doesn't.
    private static func declaration(_ bytes: [UInt8]) -> Int {
        let start = bytes.firstIndex { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        guard let start, bytes[start...].starts(with: Array("<?xml".utf8)) else { return 0 }
        return start
    }

    /// Returns the end of a CDATA section or comment that begins here.
    private static func literalEnd(_ bytes: [UInt8], _ index: Int) -> Int? {
        for (open, close) in [("<![CDATA[", "]]>"), ("<!--", "-->")] {
            guard bytes[index...].starts(with: Array(open.utf8)) else { continue }
            let close = Array(close.utf8)
            var end = index + open.utf8.count
            while end < bytes.count {
                if bytes[end] == close[0], bytes[end...].starts(with: close) { return end + close.count }
                end += 1
            }
            return bytes.count
        }
        return nil
    }

    /// Returns what to write for the ampersand here (nil to keep it), and how many bytes that replaces.
    private static func reference(_ bytes: [UInt8], _ index: Int) -> (String?, Int) {
        let rest = bytes[(index + 1)...].prefix(33)
        guard let end = rest.firstIndex(of: 0x3B) else { return ("&amp;", 1) }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        let length = end + 1 - index
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return (nil, length) }
        if name.hasPrefix("#") {
            let digits = name.utf8.dropFirst()
            let isHex = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
            let isNumber = digits.allSatisfy { (0x30...0x39).contains($0) }
            let number = isHex ? digits.dropFirst().hexNumber : isNumber ? UInt32(name.dropFirst()) : nil
            // XML allows no control characters, not even as numeric references.
            guard let number, let scalar = Unicode.Scalar(number) else { return ("&amp;", 1) }
            let isLeftOut =
                scalar.value < 0x20 && ![9, 10, 13].contains(scalar.value) || scalar.value == 0xFFFE
            return (isLeftOut || scalar.value == 0xFFFF ? "" : nil, length)
        }
        if let number = entities[name] { return ("&#\(number);", length) }
        return ("&amp;", 1)
    }
}
