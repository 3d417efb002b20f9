import CPages
import SourceCore

/// A reader of JSON pages.
enum JSONValueReader {
    /// Reads one document.
    ///
    /// - Throws: ``ListerFailure`` with `unexpected_type` if the text doesn't even begin like JSON, and
    ///   `unexpected_shape` for errors further on.
    static func read(
        _ given: [UInt8],
        what: String = "the page",
        _ encoding: PageEncoding = PageEncoding()
    ) throws(ListerFailure) -> Value {
        let text = try encoding.json(given) ?? given
        let bytes = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        let start = bytes.first { !blanks.contains($0) }
        guard let start else {
            throw ListerFailure("unexpected_type", "\(what) should be JSON, but is empty")
        }
        guard "{[\"-0123456789tfn".utf8.contains(start) else {
            let other = "something else; check the source's url and kind"
            let found = start == 0x3C ? HTMLBeginning(bytes).words : other
            throw ListerFailure(
                "unexpected_type",
                "\(what) should be JSON, but is \(found)",
                excerpt: Excerpt.of(bytes)
            )
        }
        let decoded = ForeignJSON.decoded(bytes) ?? bytes
        let changed = JSONPrepass.changed(decoded)
        let ready = changed.text ?? decoded
        guard ready.count < Int(Int32.max) else {
            throw ListerFailure("too_large", "\(what) is larger than 2 GiB")
        }
        let value = ready.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                Value(owning: jv_parse_sized($0.baseAddress, Int32($0.count)))
            }
        }
        guard value.isValid else {
            if isJSONLines(ready) {
                throw ListerFailure(
                    "unexpected_type",
                    "\(what) should be one JSON value, but has one on each line; set kind: jsonl",
                    excerpt: Excerpt.of(bytes)
                )
            }
            let reason = (value.error ?? "it ends too early").split(separator: " (while parsing").first
            throw ListerFailure(
                "unexpected_shape",
                "\(what) is not valid JSON: \(reason ?? "it ends too early")",
                excerpt: Excerpt.of(bytes)
            )
        }
        return changed.hasExponents && KeptDigits.areKept ? KeptDigits.forgotten(in: value) : value
    }

    /// Returns whether a text has an object or an array on its first line, and another on the next.
    private static func isJSONLines(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.prefix(ListBeginning.length).split(maxSplits: 2) { $0 == 0x0A || $0 == 0x0D }
        guard lines.count > 1, let next = lines[1].first, lines[0].first == next,
            next == UInt8(ascii: "{") || next == UInt8(ascii: "[")
        else { return false }
        return Array(lines[0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                Value(owning: jv_parse_sized($0.baseAddress, Int32(clamping: $0.count))).isValid
            }
        }
    }
}

/// The beginning of a page, for error messages.
enum Excerpt {
    static func of(_ bytes: some Sequence<UInt8>) -> String {
        let text = String(decoding: Array(bytes.prefix(ListerFailure.longestExcerpt)), as: UTF8.self)
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            shown.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        return String(shown)
    }
}
