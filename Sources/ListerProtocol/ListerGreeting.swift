/// The first message of a lister: it has compiled its program, or can't.
public struct ListerGreeting: Codable, Hashable, Sendable {
    /// An expression that can't be compiled.
    public struct Problem: Codable, Hashable, Sendable {
        /// The field of the recipe, such as `job.url`.
        public var field: String
        /// What libjq says of it.
        public var message: String

        /// A problem of a field.
        public init(field: String, message: String) {
            self.field = field
            self.message = message
        }
    }

    /// The version of this protocol; see ``current``.
    public var version: Int
    /// What can't be compiled; a lister with problems ends after this message.
    public var problems: [Problem]
    /// What of the sandbox this kernel couldn't give, as a sentence; nil when all of it is closed.
    public var warning: String?

    /// The version that this code speaks.
    public static let current = 1

    /// Greets in the current version.
    public init(problems: [Problem] = [], warning: String? = nil) {
        version = Self.current
        self.problems = problems
        self.warning = warning
    }
}
