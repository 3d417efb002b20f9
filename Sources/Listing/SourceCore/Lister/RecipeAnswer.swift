/// A recipe to be read, as it is written.
public struct RecipeRequest: Codable, Hashable, Sendable {
    /// The id that the answer repeats: a number that can't be guessed.
    public var id: UInt64
    /// The recipe's text.
    public var text: String
    /// The name of the source, unless the recipe gives one.
    public var name: String?

    /// The longest recipe in bytes, many times that of any that a person writes.
    public static let maximumLength = 64 << 10

    /// Creates a request; whoever sends it gives it its id.
    public init(_ text: String, name: String?) {
        id = 0
        (self.text, self.name) = (text, name)
    }
}

/// A recipe that was read, or what is wrong with it.
public struct RecipeAnswer: Codable, Hashable, Sendable {
    /// Something that is wrong.
    public typealias Problem = ListerGreeting.Problem

    /// The recipe's values in pieces, which whoever gets them reads and checks again; empty if it has problems.
    public var pieces: [String]
    /// The recipe for people, without what is not shown; nil if that is its text.
    public var shown: String?
    /// Problems of the recipe; empty if there are none.
    public var problems: [Problem]

    /// Creates the answer for a recipe that can be used.
    public init(pieces: [String], shown: String?) {
        (self.pieces, self.shown, problems) = (pieces, shown, [])
    }

    /// Creates the answer for a recipe that can't be used.
    public init(problems: [Problem]) { (pieces, shown, self.problems) = ([], nil, problems) }
}

extension RecipeAnswer {
    /// Makes the recipe of what a lister has read; it is checked as if nobody had read it before.
    ///
    /// - Parameter name: the name of the source, unless the recipe gives one.
    /// - Throws: ``RecipeRefusal`` with everything that is wrong.
    public func recipe(name: String?) throws(RecipeRefusal) -> Recipe {
        guard problems.isEmpty else {
            throw RecipeRefusal(problems.map { RecipeProblem($0.field, $0.message) })
        }
        guard let value = RecipeValue(pieces: pieces) else {
            throw RecipeRefusal([RecipeProblem("", "what the reader of recipes says of it makes no sense")])
        }
        return try Recipe(reading: value, name: name)
    }
}
