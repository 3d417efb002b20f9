/// A field of recipes: what can be written there, and its description in the manual.
public struct RecipeField: Hashable, Sendable {
    /// The path of the field, such as `job.url`.
    public var path: String
    /// The values that the field takes, as a noun phrase.
    public var expects: String
    /// The default as a phrase; nil if there is none.
    public var fallback: String?
    /// The purpose of the field in full sentences.
    public var meaning: String

    init(_ path: String, _ expects: String, _ fallback: String? = nil, _ meaning: String) {
        self.path = path
        self.expects = expects
        self.fallback = fallback
        self.meaning = meaning
    }

    /// The field's section; empty for the recipe itself.
    var section: String { path.lastIndex(of: ".").map { String(path[..<$0]) } ?? "" }
    /// The field's name within its section.
    var name: String { path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path }
}
