/// The answer to holding or releasing the detection gate.
public struct GateJSON: APIObject {
    /// The position of the gate.
    public var gate: APIWord<State>

    /// The position of the gate.
    public init(gate: APIWord<State>) { self.gate = gate }

    public static let shape = Shape<GateJSON>("Gate", CodingKeys.self) { $0.member(.gate, \.gate) }
}
