/// Where an endpoint is: words, and at most one `{id}`.
struct PathTemplate: Hashable, Sendable, ExpressibleByStringLiteral {
    /// As the document has it.
    let text: String
    private let parts: [Substring]

    /// The part that stands for an id.
    private static let id = "{id}"

    init(_ text: String) {
        self.text = text
        parts = Self.parts(of: text[...])
    }

    init(stringLiteral text: String) { self.init(text) }

    /// True where there is an id in it.
    var hasID: Bool { parts.contains { $0 == Self.id } }

    /// The id in a path; 0 where the template has none, nil where the path is another one.
    ///
    /// Ids are integers from 1, so 0 is none of them.
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

    /// A path cut at its slashes; one with more parts than any template has is not cut to its end.
    static func parts(of path: Substring) -> [Substring] {
        path.split(separator: "/", maxSplits: 6, omittingEmptySubsequences: false)
    }
}
