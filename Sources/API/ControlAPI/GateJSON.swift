/// The answer to holding or releasing the detection gate.
public struct GateJSON: APIObject {
    /// The position of the gate.
    public var gate: APIWord<State>

    /// The position of the gate.
    public init(gate: APIWord<State>) { self.gate = gate }

    public static let shape = Shape<GateJSON>("Gate", CodingKeys.self) { $0.member(.gate, \.gate) }
}

extension GateJSON {
    /// The position of the gate between documents and detectors.
    public enum State: String, CaseIterable, Sendable {
        /// Documents are looked at as they arrive.
        case open
        /// Documents wait.
        case held
    }

    /// Actions on the gate: the last component of the path to post to.
    public enum Action: String, CaseIterable, Sendable {
        /// Make documents wait.
        case hold
        /// Look at the waiting documents in order, and at others as they arrive.
        case release
    }
}
