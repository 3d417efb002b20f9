extension StatusJSON {
    /// What the daemon does.
    public enum State: String, CaseIterable, Sendable {
        /// It does not take requests yet.
        case starting
        /// It works.
        case running
        /// It ends what it has begun.
        case stopping
    }
}
