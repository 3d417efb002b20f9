/// The path of an endpoint: words, and at most one `{id}`.
struct PathTemplate: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The path as written in the OpenAPI document.
    let text: String
    private let parts: [Substring]

    /// The component that stands for an id.
    private static let id = "{id}"

    init(_ text: String) {
        self.text = text
        parts = Self.parts(of: text[...])
    }

    init(stringLiteral text: String) { self.init(text) }

    /// Whether the path contains an id.
    var hasID: Bool { parts.contains { $0 == Self.id } }

    /// Returns the id in a matching path, 0 if the template has none; nil if the path doesn't match.
    ///
    /// Ids are integers from 1, so 0 is never an id.
    func match(_ path: [Substring]) -> Int64? {
        guard path.count == parts.count else { return nil }
        var found: Int64 = 0
        for (part, given) in zip(parts, path) {
            if part == Self.id {
                guard let number = Int64(decimal: given), number > 0 else { return nil }
                found = number
            } else if part != given {
                return nil
            }
        }
        return found
    }

    /// Splits a path at its slashes, stopping when it has more components than any template.
    static func parts(of path: Substring) -> [Substring] {
        path.split(separator: "/", maxSplits: 6, omittingEmptySubsequences: false)
    }
}
