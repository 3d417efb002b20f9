/// What a post to the detection gate answers.
public struct GateJSON: APIObject {
    /// How the gate is.
    public var gate: APIWord<State>

    /// How the gate is.
    public init(gate: APIWord<State>) { self.gate = gate }

    /// One word.
    public static let shape = Shape<GateJSON>("Gate", [Member(CodingKeys.gate, \.gate)])
}
