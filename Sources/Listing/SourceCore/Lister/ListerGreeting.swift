import Vocabulary

/// The problems of a lister's program, known when it is ready.
public struct ListerOffer: ChildOffer {
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

    /// The version of the protocol that this code speaks with listers.
    public static let protocolVersion = 1

    /// The expressions that can't be compiled; a lister with any exits after this message.
    public var problems: [Problem]
}

/// The first message of a lister.
public typealias ListerGreeting = ChildGreeting<ListerOffer>

extension ChildGreeting where Offer == ListerOffer {
    /// An expression that can't be compiled.
    public typealias Problem = ListerOffer.Problem

    /// Creates a greeting of the current version.
    public init(problems: [Problem] = [], warning: String? = nil) {
        self.init(ListerOffer(problems: problems), warning: warning)
    }
}
