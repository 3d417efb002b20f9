/// A Content-Range field that names one range of bytes (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable {
    /// First and last byte, both within; nil in the answer to a range that can't be had.
    let bounds: ClosedRange<Int64>?
    /// Length of the whole file; nil for `*`.
    let total: Int64?

    /// Reads `bytes 0-499/1234`, `bytes 0-499/*` or `bytes */1234`; nil where
    /// it is none of them, or says what can't be.
    init?(_ field: String) {
        let words = field.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let length = Int64(digits: parts[1]) else { return nil }
            total = length
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bounds = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int64(digits: ends[0]), let last = Int64(digits: ends[1]),
            first <= last, last < Int64.max, total.map({ last < $0 }) ?? true
        else { return nil }
        bounds = first...last
    }
}

extension Int64 {
    /// Reads digits and nothing else: no sign, no space, no overflow.
    init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(digits)
    }
}
