/// A field of recipes: what people may write, and what the manual says of it.
public struct RecipeField: Hashable, Sendable {
    /// Where it stands, such as `job.url`.
    public var path: String
    /// What it takes, as a noun phrase.
    public var expects: String
    /// What holds where it is left out, as a phrase; nil where nothing does.
    public var fallback: String?
    /// What it is for, in whole sentences.
    public var meaning: String

    init(_ path: String, _ expects: String, _ fallback: String? = nil, _ meaning: String) {
        self.path = path
        self.expects = expects
        self.fallback = fallback
        self.meaning = meaning
    }

    /// The section that it stands in; empty for the recipe itself.
    var section: String { path.lastIndex(of: ".").map { String(path[..<$0]) } ?? "" }
    /// Its own name.
    var name: String { path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path }
}
