/// An engine with its parameters, which together determine the faces found.
public struct DetectorIdentity: Hashable, Sendable {
    /// The engine, `haar` or `yunet`.
    public var engine: String
    /// The engine's parameters, as in results.
    public var parameters: String

    public init(engine: String, parameters: String) {
        self.engine = engine
        self.parameters = parameters
    }
}
