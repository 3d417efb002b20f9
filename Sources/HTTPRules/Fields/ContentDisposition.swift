/// A parser for the file name that a server suggests (RFC 6266).
enum ContentDisposition {
    /// Returns the name in a field value as the server wrote it; nil if it has none.
    ///
    /// `filename*` takes precedence over `filename` (§4.3). The name comes from a stranger, so callers
    /// must make it safe before use.
    static func fileName(in field: String) -> String? {
        var plain: String?
        var extended: String?
        for (name, value) in parameters(of: field) {
            switch name {
            case "filename*": extended = extended ?? decodeExtended(value)
            case "filename": plain = plain ?? value
            default: break
            }
        }
        return [extended, plain].compactMap { $0 }.first { !$0.isEmpty }
    }

    /// Returns the parameters after the disposition's type, with names in lower case and values unquoted
    /// and unescaped.
    private static func parameters(of field: String) -> [(name: String, value: String)] {
        var found: [(String, String)] = []
        var rest = Array(field.unicodeScalars)[...]
        rest = rest.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = text(rest.prefix { $0 != "=" && $0 != ";" })
            rest = rest.drop { $0 != "=" && $0 != ";" }
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let value: String
            if rest.first == "\"" {
                value = quoted(&rest)
                rest = rest.drop { $0 != ";" }
            } else {
                value = text(rest.prefix { $0 != ";" })
                rest = rest.drop { $0 != ";" }
            }
            found.append((name.lowercased(), value))
        }
        return found
    }

    /// Consumes a quoted-string (RFC 9110 §5.6.4).
    private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        rest = rest.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            if scalar == "\\" {
                if let escaped = rest.popFirst() { value.append(escaped) }
            } else {
                value.append(scalar)
            }
        }
        return String(value)
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var scalars = scalars
        while let last = scalars.last, last == " " || last == "\t" { scalars.removeLast() }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Decodes values such as `UTF-8'en'%e2%82%ac` (RFC 8187 §3.2); nil for other character sets and
    /// broken escapes.
    private static func decodeExtended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(parts[2].utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            // UInt8(_:radix:) would also accept a sign.
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1":
            var scalars = String.UnicodeScalarView()
            for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
            return String(scalars)
        default: return nil
        }
    }
}
