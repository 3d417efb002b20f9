import Vocabulary

/// A parser for the file name that a server suggests (RFC 6266), as lenient as browsers.
enum ContentDisposition {
    /// Returns the name in a field value as the server wrote it; nil if it has none.
    ///
    /// `filename*` takes precedence over `filename` (§4.3), and one in pieces (RFC 2231 §3) comes between them. What
    /// can't be decoded is passed over. The name comes from a stranger, so callers must make it safe before use.
    static func fileName(in field: String) -> String? {
        var plain: String?
        var extended: String?
        var pieces = Pieces()
        for (name, value) in parameters(of: field) {
            switch name {
            case "filename*": extended = extended ?? NameCharset.decodeExtended(value)
            case "filename": plain = plain ?? value
            default: pieces.add(name, value)
            }
        }
        return [extended, pieces.name, plain.flatMap(decodePlain)].lazy.compactMap { $0 }.first {
            !$0.isEmpty
        }
    }

    /// Decodes what servers have put into a plain name since there was no other way: words for mail
    /// (RFC 2047), and percent-encoding; nil for a word that can't be read.
    ///
    /// A percent sign that encodes nothing stays, as does what isn't UTF-8.
    private static func decodePlain(_ value: String) -> String? {
        guard value.utf8.allSatisfy({ $0 < 0x80 }) else { return value }
        if value.contains("=?") { return EncodedWords.decode(value) }
        guard value.utf8.contains(UInt8(ascii: "%")) else { return value }
        return String(validating: PercentEncoding.decodedBytes(value), as: UTF8.self) ?? value
    }

    /// A name that comes in numbered pieces, `filename*0="a b"; filename*1*=%20c.jpg` (RFC 2231 §3 and §4.1).
    private struct Pieces {
        private var values: [Int: (value: String, isEncoded: Bool)] = [:]

        /// The most pieces of a name; four bytes each make the longest.
        private static let most = 100

        /// Takes a parameter, if it is a piece; the first one with a number counts.
        mutating func add(_ name: String, _ value: String) {
            guard name.hasPrefix("filename*") else { return }
            var number = name.dropFirst("filename*".count)
            let isEncoded = number.last == "*"
            if isEncoded { number.removeLast() }
            guard (1...3).contains(number.utf8.count), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                number == "0" || number.first != "0", let place = Int(number), place < Self.most,
                values[place] == nil
            else { return }
            values[place] = (value, isEncoded)
        }

        /// The name from the pieces that follow one another from the first; nil if that is missing, or if they
        /// can't be decoded.
        ///
        /// They are joined before they are decoded: a character may begin in one and end in the next.
        var name: String? {
            guard let first = values[0] else { return nil }
            var charset: NameCharset? = .utf8
            var rest = first.value
            if first.isEncoded {
                guard let (named, text) = NameCharset.split(first.value) else { return nil }
                (charset, rest) = (named, text)
            }
            var bytes: [UInt8] = []
            for place in 0..<Self.most {
                guard let piece = values[place] else { break }
                let text = place == 0 ? rest : piece.value
                guard piece.isEncoded else {
                    bytes += text.utf8
                    continue
                }
                guard let decoded = NameCharset.bytes(ofEncoded: text) else { return nil }
                bytes += decoded
            }
            return charset?.decode(bytes)
        }
    }

    /// Returns the parameters after the disposition's type, which may be missing, with names in lower case and values
    /// unquoted and unescaped.
    private static func parameters(of field: String) -> [(name: String, value: String)] {
        var found: [(String, String)] = []
        var rest = Array(field.unicodeScalars)[...]
        // A parameter in place of the type is one as well.
        let type = rest.prefix { $0 != ";" }
        if type.contains("=") { rest = [";"] + rest } else { rest = rest.dropFirst(type.count) }
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
}
