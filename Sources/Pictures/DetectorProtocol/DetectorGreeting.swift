import Vocabulary

/// The engines that a detector offers when it is ready.
public struct DetectorOffer: ChildOffer {
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

    /// The version of the protocol that this code speaks with detectors.
    public static let protocolVersion = 3

    /// The engines, first the one used if a request names none.
    public var engines: [Engine]
}

/// The first message of a detector, and of a process that makes pictures or copies.
public typealias DetectorGreeting = ChildGreeting<DetectorOffer>

extension ChildGreeting where Offer == DetectorOffer {
    /// An engine that the detector offers.
    public typealias Engine = DetectorOffer.Engine

    /// Creates a greeting of the current version.
    public init(engines: [Engine], warning: String? = nil) {
        self.init(DetectorOffer(engines: engines), warning: warning)
    }
}
