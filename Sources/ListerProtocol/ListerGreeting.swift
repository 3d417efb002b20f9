/// The first message of a lister, which says whether its program could be compiled.
public struct ListerGreeting: Codable, Hashable, Sendable {
    /// An expression that can't be compiled.
    public struct Problem: Codable, Hashable, Sendable {
        /// The field of the recipe, such as `job.url`.
        public var field: String
        /// The error message of libjq.
        public var message: String

        public init(field: String, message: String) {
            self.field = field
            self.message = message
        }
    }

    /// The version of the protocol; see ``current``.
    public var version: Int
    /// The expressions that can't be compiled; a lister with any exits after this message.
    public var problems: [Problem]
    /// A sentence about parts of the sandbox that this kernel doesn't support; nil if it is complete.
    public var warning: String?

    /// The version that this code implements.
    public static let current = 1

    /// Creates a greeting of the current version.
    public init(problems: [Problem] = [], warning: String? = nil) {
        version = Self.current
        self.problems = problems
        self.warning = warning
    }
}
