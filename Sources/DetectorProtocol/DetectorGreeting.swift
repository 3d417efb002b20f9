/// The first message of a detector, sent once, when it is ready for requests.
///
/// A process that dies before it has greeted died of something other than a picture.
public struct DetectorGreeting: Codable, Hashable, Sendable {
    /// The version of this protocol; see ``current``.
    public var version: Int
    /// The engine that will look.
    public var engine: String
    /// The engine's parameters.
    public var parameters: String
    /// What of the sandbox this kernel couldn't give, as a sentence; nil when all of it is closed.
    public var warning: String?

    /// The version that this code speaks.
    public static let current = 1

    /// Greets in the current version.
    public init(engine: String, parameters: String, warning: String? = nil) {
        self.version = Self.current
        self.engine = engine
        self.parameters = parameters
        self.warning = warning
    }
}
