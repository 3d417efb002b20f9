import CJq
import ListerProtocol

/// A reader of JSON pages.
enum JSONReader {
    /// Reads one document.
    ///
    /// - Throws: ``ListerFailure`` with `unexpected_type` if the text doesn't even begin like JSON, and
    ///   `unexpected_shape` for errors further on.
    static func read(_ given: [UInt8], what: String = "the page") throws(ListerFailure) -> Value {
        let bytes = given.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(given.dropFirst(3)) : given
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        let start = bytes.first { !blanks.contains($0) }
        guard let start else {
            throw ListerFailure("unexpected_type", "\(what) should be JSON, but is empty")
        }
        guard "{[\"-0123456789tfn".utf8.contains(start) else {
            let kind = start == 0x3C ? "HTML or XML" : "something else"
            throw ListerFailure(
                "unexpected_type",
                "\(what) should be JSON, but is \(kind); check the source's url and kind",
                excerpt: Excerpt.of(bytes)
            )
        }
        let decoded = ForeignJSON.decoded(bytes) ?? bytes
        let ready = JSONPrepass.changed(decoded) ?? decoded
        guard ready.count < Int(Int32.max) else {
            throw ListerFailure("too_large", "\(what) is larger than 2 GiB")
        }
        let value = ready.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                Value(owning: jv_parse_sized($0.baseAddress, Int32($0.count)))
            }
        }
        guard value.isValid else {
            let reason = (value.error ?? "it ends too early").split(separator: " (while parsing").first
            throw ListerFailure(
                "unexpected_shape",
                "\(what) is not valid JSON: \(reason ?? "it ends too early")",
                excerpt: Excerpt.of(bytes)
            )
        }
        return value
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
