/// An entity tag, as RFC 9110 §8.8.3 writes it.
struct EntityTag: Hashable, Sendable {
    /// The tag, quotes included, `W/` not.
    let opaque: String
    /// True for `W/"…"`: two weak tags that agree say nothing about single bytes.
    let isWeak: Bool

    /// Reads a field value; nil where it is no entity tag.
    init?(_ field: String) {
        var tag = Substring(field)
        isWeak = tag.hasPrefix("W/")
        if isWeak { tag = tag.dropFirst(2) }
        let bytes = tag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""),
            // etagc leaves out quotes, white space and control characters.
            bytes.dropFirst().dropLast().allSatisfy({ $0 >= 0x21 && $0 != 0x22 && $0 != 0x7F })
        else { return nil }
        opaque = String(tag)
    }
}
