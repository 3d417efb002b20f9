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
