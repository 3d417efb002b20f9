/// The directives of Cache-Control that concern a private cache (RFC 9111 §5.2.2).
public struct CacheControl: Hashable, Sendable {
    /// The freshness lifetime in seconds; nil if not given.
    public var maxAge: Double?
    /// True if the response must not be stored.
    public var noStore = false
    /// True if the response must be validated before each use.
    public var noCache = false

    /// Parses the Cache-Control fields of a response.
    ///
    /// `s-maxage` is for shared caches and ignored.
    ///
    /// An invalid value counts as stale (RFC 9111 §4.2.1); of two values the smaller counts.
    public init(_ fields: [String]) {
        for directive in fields.flatMap(Self.directives) {
            switch directive.name {
            case "no-store": noStore = true
            case "no-cache": noCache = true
            case "max-age":
                let digits = directive.value
                let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
                // A number too large to represent counts as very long (RFC 9111 §1.2.2).
                let seconds = isNumber ? Double(Int(digits) ?? Int(Int32.max)) : 0
                maxAge = min(maxAge ?? seconds, seconds)
            default: break
            }
        }
    }

    /// Splits a field at commas outside of quotes.
    private static func directives(_ field: String) -> [(name: String, value: String)] {
        var parts: [String] = [""]
        var isQuoted = false
        for character in field {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map { part in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count > 1 ? halves[1].filter { $0 != "\"" && !$0.isWhitespace } : ""
            return (halves[0].filter { !$0.isWhitespace }.lowercased(), String(value))
        }
    }
}
