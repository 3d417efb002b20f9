extension GateJSON {
    /// How the gate between documents and detectors is.
    public enum State: String, CaseIterable, Sendable {
        /// Documents are looked at as they arrive.
        case open
        /// Documents wait.
        case held
    }

    /// What can be done to the gate: the last part of the path that is posted to.
    public enum Action: String, CaseIterable, Sendable {
        /// Let documents wait.
        case hold
        /// Look at those that wait, in order, and at others as they arrive.
        case release
    }
}
