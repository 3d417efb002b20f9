/// Something in a recipe that can't be used.
public struct RecipeProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where it is: the names on the way there with dots between, such as `job.url`; empty for the whole.
    public var path: String
    /// What is wrong and what to write instead, as a clause without a full stop.
    public var message: String

    /// A problem at a place.
    public init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    /// The place and the problem, as one sentence.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// Everything that is wrong with a recipe.
public struct RecipeRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in the order of the schema; never empty.
    public var problems: [RecipeProblem]

    /// A refusal for these reasons.
    public init(_ problems: [RecipeProblem]) { self.problems = problems }

    /// The problems, one a line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
