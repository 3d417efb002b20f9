import Vocabulary

/// A text that stands for many URLs, as curl reads it (curl(1), "URL"): `[001-100]`, `[1-9:2]`, `[a-z]` and `{a,b}`.
///
/// What is in brackets or braces otherwise stays as it is, such as `[1]` or an address of IPv6.
struct URLPattern {
    /// The texts that each part stands for.
    private let parts: [[String]]
    /// The number of URLs.
    let count: Int

    /// The most URLs that one pattern stands for: a mistyped digit is no reason to fill a disk.
    static let most = 100_000

    /// The reason why a pattern can't be used, as the end of a sentence about it.
    struct Wrong: Error {
        let words: String
    }

    /// Reads a text; nil if it is no pattern.
    init?(_ text: String) throws(Wrong) {
        // Almost no URL has any, and what is too long for one is refused as that.
        guard text.utf8.count <= JobURL.maximumLength,
            text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") })
        else { return nil }
        var parts: [[String]] = []
        var (count, literal) = (1, "")
        var rest = Substring(text)
        while let first = rest.popFirst() {
            let close: Character? = first == "[" ? "]" : first == "{" ? "}" : nil
            // One within another stands for itself, so that each character is looked at twice at the most.
            guard let close, let end = rest.firstIndex(where: { $0 == close || $0 == first }),
                rest[end] == close, let words = try Self.words(rest[..<end], isRange: first == "[")
            else {
                literal.append(first)
                continue
            }
            parts += [[literal], words]
            literal = ""
            count = count.multipliedReportingOverflow(by: words.count).overflow ? .max : count * words.count
            guard count <= Self.most else { throw Self.tooMany }
            rest = rest[rest.index(after: end)...]
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts + [[literal]]
        self.count = count
    }

    /// The URLs, of which the last part changes first.
    var urls: [String] {
        parts.reduce([""]) { urls, words in urls.flatMap { url in words.map { url + $0 } } }
    }

    private static let tooMany = Wrong(words: "stands for more than \(Quantities.grouped(most)) URLs")

    /// Returns what brackets or braces stand for; nil if nothing.
    private static func words(_ inside: Substring, isRange: Bool) throws(Wrong) -> [String]? {
        guard isRange else {
            let words = inside.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return words.count > 1 ? words : nil
        }
        guard let dash = inside.firstIndex(of: "-") else {
            let parts = inside.split(separator: ":", omittingEmptySubsequences: false).map(number)
            guard parts.count == 2, !parts.contains(nil) else { return nil }
            throw Wrong(words: "has [\(inside)]: a range is written [\(inside.replacing(":", with: "-"))]")
        }
        let first = inside[..<dash]
        let ends = inside[inside.index(after: dash)...].split(
            separator: ":",
            omittingEmptySubsequences: false
        )
        guard let last = ends.first, ends.count <= 2 else { return nil }
        guard let step = ends.count == 2 ? number(ends[1]) : 1 else { return nil }
        if let from = number(first), let to = number(last) {
            guard step > 0, from <= to else { throw Wrong(words: "counts from \(from) to \(to) by \(step)") }
            guard (to - from) / step < most else { throw tooMany }
            return stride(from: from, through: to, by: step).map { number in
                let digits = String(number)
                return String(repeating: "0", count: max(0, first.count - digits.count)) + digits
            }
        }
        guard let from = letter(first), let to = letter(last), from.isUppercase == to.isUppercase,
            let low = from.asciiValue, let high = to.asciiValue
        else { return nil }
        guard step > 0, low <= high else { throw Wrong(words: "goes from \(from) to \(to) by \(step)") }
        return stride(from: Int(low), through: Int(high), by: step).map { String(UnicodeScalar(UInt8($0))) }
    }

    /// Returns a number of up to nine digits; nil for anything else.
    private static func number(_ text: Substring) -> Int? {
        let isNumber = 1...9 ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        return isNumber ? Int(text) : nil
    }

    /// Returns a letter of ASCII; nil for anything else.
    private static func letter(_ text: Substring) -> Character? {
        guard let letter = text.first, text.count == 1, letter.isASCII, letter.isLetter else { return nil }
        return letter
    }
}
