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
