/// The header field Cache-Control as far as it concerns a private cache (RFC 9111 §5.2.2).
public struct CacheControl: Hashable, Sendable {
    /// Seconds of freshness; nil where it says nothing.
    public var maxAge: Double?
    /// Whether nothing of the response may be kept.
    public var noStore = false
    /// Whether it has to be validated each time.
    public var noCache = false

    /// Reads the fields of a response, joined by commas.
    ///
    /// `s-maxage` is for shared caches and ignored.
    ///
    /// What makes no sense is taken as stale (RFC 9111 §4.2.1); of two values the smaller counts.
    public init(_ fields: [String]) {
        for directive in fields.flatMap(Self.directives) {
            switch directive.name {
            case "no-store": noStore = true
            case "no-cache": noCache = true
            case "max-age":
                let digits = directive.value
                let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
                // More digits than fit is for ever (RFC 9111 §1.2.2).
                let seconds = isNumber ? Double(Int(digits) ?? Int(Int32.max)) : 0
                maxAge = min(maxAge ?? seconds, seconds)
            default: break
            }
        }
    }

    /// Splits at commas that don't stand in quotes.
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
