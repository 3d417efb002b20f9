/// What a post to the detection gate answers.
public struct GateJSON: Codable, Hashable, Sendable {
    /// How the gate is.
    public var gate: APIWord<State>

    /// How the gate is.
    public init(gate: APIWord<State>) { self.gate = gate }
}
