/// The first message of a detector, sent once, when it is ready for requests.
///
/// A process that dies before its greeting has died of something other than a picture.
public struct DetectorGreeting: Codable, Hashable, Sendable {
    /// An engine that the detector offers.
    public struct Engine: Codable, Hashable, Sendable {
        /// The engine's name, which requests may ask for.
        public var name: String
        /// The engine's parameters.
        public var parameters: String

        public init(name: String, parameters: String) {
            self.name = name
            self.parameters = parameters
        }
    }

    /// The version of the protocol; see ``current``.
    public var version: Int
    /// The engines, first the one used if a request names none.
    public var engines: [Engine]
    /// A sentence about parts of the sandbox that this kernel doesn't support; nil if it is complete.
    public var warning: String?

    /// The version that this code speaks.
    public static let current = 2

    /// Creates a greeting of the current version.
    public init(engines: [Engine], warning: String? = nil) {
        self.version = Self.current
        self.engines = engines
        self.warning = warning
    }
}
