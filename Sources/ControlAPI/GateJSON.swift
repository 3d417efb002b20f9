/// The answer to holding or releasing the detection gate.
public struct GateJSON: APIObject {
    /// The position of the gate.
    public var gate: APIWord<State>

    /// The position of the gate.
    public init(gate: APIWord<State>) { self.gate = gate }

    /// The single member.
    public static let shape = Shape<GateJSON>("Gate", [Member(CodingKeys.gate, \.gate)])
}
