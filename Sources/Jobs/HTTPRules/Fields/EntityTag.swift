/// An entity tag (RFC 9110 §8.8.3).
struct EntityTag: Hashable, Sendable {
    /// The tag including its quotes, without `W/`.
    let opaque: String
    /// True if the tag is weak (`W/"…"`): two equal weak tags say nothing about single bytes.
    let isWeak: Bool

    /// Parses a field value; nil if it isn't an entity tag.
    init?(_ field: String) {
        var tag = Substring(field)
        isWeak = tag.hasPrefix("W/")
        if isWeak { tag = tag.dropFirst(2) }
        let bytes = tag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""),
            // The grammar's etagc excludes quotes, white space and control characters.
            bytes.dropFirst().dropLast().allSatisfy({ $0 >= 0x21 && $0 != 0x22 && $0 != 0x7F })
        else { return nil }
        opaque = String(tag)
    }
}
