/// An engine with the parameters that it is run with: what decides which faces are found.
public struct DetectorIdentity: Hashable, Sendable {
    /// The engine that looks, `haar` or `yunet`.
    public var engine: String
    /// The engine's parameters, as results carry them.
    public var parameters: String

    /// An engine and its parameters.
    public init(engine: String, parameters: String) {
        self.engine = engine
        self.parameters = parameters
    }
}
