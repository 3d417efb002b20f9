/// The path of an endpoint: words, and at most one `{id}` or `{name}`.
struct PathTemplate: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The path as written in the OpenAPI document.
    let text: String
    private let parts: [Substring]

    /// The components that stand for an id, and for a source's name.
    private static let id = "{id}"
    private static let name = "{name}"

    init(_ text: String) {
        self.text = text
        parts = Self.parts(of: text[...])
    }

    init(stringLiteral text: String) { self.init(text) }

    /// True if the path contains an id.
    var hasID: Bool { parts.contains { $0 == Self.id } }
    /// True where there is a name in it.
    var hasName: Bool { parts.contains { $0 == Self.name } }

    /// The open components of a path, filled in.
    struct Match: Hashable, Sendable {
        /// The id; 0 if the template has none.
        var id: Int64 = 0
        /// The name; empty if the template has none.
        var name = ""
    }

    /// Returns what a matching path has in the open components; nil if the path doesn't match.
    ///
    /// Ids are integers from 1, so 0 is never an id.
    func match(_ path: [Substring]) -> Match? {
        guard path.count == parts.count else { return nil }
        var found = Match()
        for (part, given) in zip(parts, path) {
            if part == Self.id {
                guard let number = Int64(decimal: given), number > 0 else { return nil }
                found.id = number
            } else if part == Self.name {
                // A word that has a row of its own is nobody's name.
                guard (1...63).contains(given.utf8.count), given != "try",
                    given.utf8.allSatisfy(Self.isInName)
                else { return nil }
                found.name = String(given)
            } else if part != given {
                return nil
            }
        }
        return found
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    /// Splits a path at its slashes, stopping when it has more components than any template.
    static func parts(of path: Substring) -> [Substring] {
        path.split(separator: "/", maxSplits: 6, omittingEmptySubsequences: false)
    }
}
