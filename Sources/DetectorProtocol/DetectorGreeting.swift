/// The first message of a detector, sent once, when it is ready for requests.
///
/// A process that dies before it has greeted died of something other than a picture.
public struct DetectorGreeting: Codable, Hashable, Sendable {
    /// An engine that the detector has.
    public struct Engine: Codable, Hashable, Sendable {
        /// The engine's name, which requests may ask for.
        public var name: String
        /// The engine's parameters.
        public var parameters: String

        /// An engine with its parameters.
        public init(name: String, parameters: String) {
            self.name = name
            self.parameters = parameters
        }
    }

    /// The version of this protocol; see ``current``.
    public var version: Int
    /// The engines, first the one that looks where a request names none.
    public var engines: [Engine]
    /// What of the sandbox this kernel couldn't give, as a sentence; nil when all of it is closed.
    public var warning: String?

    /// The version that this code speaks.
    public static let current = 3

    /// Greets in the current version.
    public init(engines: [Engine], warning: String? = nil) {
        self.version = Self.current
        self.engines = engines
        self.warning = warning
    }
}
