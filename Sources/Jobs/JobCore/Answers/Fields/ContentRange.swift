import JobModel
import Vocabulary

/// A Content-Range field for a single range of bytes (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable {
    /// The first and the last byte, inclusive; nil in the answer to an unsatisfiable range.
    let bounds: ClosedRange<Int64>?
    /// The length of the whole file in bytes; nil for `*`.
    let total: Int64?

    /// Parses `bytes 0-499/1234`, `bytes 0-499/*` or `bytes */1234`; nil for anything else, and for
    /// impossible values.
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
