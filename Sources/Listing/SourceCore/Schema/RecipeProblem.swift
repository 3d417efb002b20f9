/// An error in a recipe.
public struct RecipeProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place of the error: names joined by dots, such as `job.url`; empty for the whole recipe.
    public var path: String
    /// The mistake and its remedy, as a clause without a full stop.
    public var message: String

    public init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    /// The place and the error as one sentence.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// All errors in a recipe.
public struct RecipeRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errors in the order of the schema; never empty.
    public var problems: [RecipeProblem]

    public init(_ problems: [RecipeProblem]) { self.problems = problems }

    /// The errors, one per line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
