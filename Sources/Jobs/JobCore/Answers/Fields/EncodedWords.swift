import FoundationEssentials
import Vocabulary

/// Words as in mail, `=?UTF-8?B?w7wuanBn?=` (RFC 2047), which servers also put into names.
enum EncodedWords {
    /// Decodes the words in a text; nil if one of them can't be read.
    ///
    /// What has another form is no word, and stays.
    /// White space between two words is no part of the text (§6.2). They are joined before they are decoded, as long
    /// as their character set is the same: servers cut them in the middle of a character.
    static func decode(_ text: String) -> String? {
        var decoded = ""
        var pending: (charset: NameCharset, bytes: [UInt8])?
        func end() -> Bool {
            defer { pending = nil }
            guard let word = pending else { return true }
            guard let text = word.charset.decode(word.bytes) else { return false }
            decoded += text
            return true
        }
        var rest = text[...]
        while let start = rest.firstRange(of: "=?") {
            guard let form = Form(rest[start.upperBound...]) else {
                guard end() else { return nil }
                decoded += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                continue
            }
            let between = rest[..<start.lowerBound]
            guard let word = Word(form) else { return nil }
            if pending == nil || between.contains(where: { $0 != " " && $0 != "\t" }) {
                guard end() else { return nil }
                decoded += between
            }
            if let known = pending, known.charset == word.charset {
                pending?.bytes += word.bytes
            } else {
                guard end() else { return nil }
                pending = (word.charset, word.bytes)
            }
            rest = form.rest
        }
        return end() ? decoded + rest : nil
    }

    /// The parts of a word behind its `=?`, and what follows it.
    private struct Form {
        var charset: Substring
        var encoding: Substring
        var content: Substring
        var rest: Substring

        init?(_ text: Substring) {
            let parts = text.split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].first == "=", parts[1].utf8.count == 1 else { return nil }
            // RFC 2231 §5 lets a language follow the character set.
            charset = parts[0].prefix { $0 != "*" }
            (encoding, content, rest) = (parts[1], parts[2], parts[3].dropFirst())
        }
    }

    /// A word as bytes.
    private struct Word {
        var charset: NameCharset
        var bytes: [UInt8]

        init?(_ form: Form) {
            guard let charset = NameCharset(form.charset) else { return nil }
            let content = form.content
            switch form.encoding {
            case "B", "b":
                // Some leave out the signs that fill up the last four.
                let bare = content.prefix { $0 != "=" }
                let filled = bare + String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
                guard let data = Data(base64Encoded: String(filled)) else { return nil }
                bytes = Array(data)
            case "Q", "q":
                guard let decoded = Self.quoted(content) else { return nil }
                bytes = decoded
            default: return nil
            }
            self.charset = charset
        }

        /// Decodes what is like quoted-printable (§4.2): `_` is a blank, `=C3` a byte.
        private static func quoted(_ content: Substring) -> [UInt8]? {
            var bytes: [UInt8] = []
            var rest = Array(content.utf8)[...]
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "_"): bytes.append(0x20)
                case UInt8(ascii: "="):
                    guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else {
                        return nil
                    }
                    bytes.append(high << 4 | low)
                default: bytes.append(byte)
                }
            }
            return bytes
        }
    }
}
