import Digests
import Vocabulary

/// The entity tags that a client has answers under (RFC 9110 §13.1.2).
struct EntityTags: Sendable {
    /// The tags, with their quotes and without a mark of weakness; nil stands for any.
    private let tags: Set<Substring>?

    /// Reads an If-None-Match; nil if it is malformed.
    init?(_ field: String) {
        if field == "*" {
            tags = nil
            return
        }
        var tags: Set<Substring> = []
        var rest = field[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            // Weakness makes no difference here (RFC 9110 §8.8.3.2).
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
            let tag = rest[...end]
            guard tag.utf8.allSatisfy({ $0 == 0x21 || (0x22...0x7E).contains($0) || $0 >= 0x80 }) else {
                return nil
            }
            tags.insert(tag)
            rest = rest[rest.index(after: end)...].drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { break }
            guard rest.first == "," else { return nil }
            rest = rest.dropFirst()
        }
        self.tags = tags
    }

    /// Returns whether a tag is among them.
    func have(_ tag: String) -> Bool { tags?.contains(tag[...]) ?? true }

    /// The tag of an answer that is known by its bytes.
    static func tag(of bytes: [UInt8]) -> String {
        "\"\(SHA256.hash(data: bytes).prefix(16).hexText)\""
    }
}
