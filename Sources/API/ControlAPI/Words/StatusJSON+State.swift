extension StatusJSON {
    /// States of the daemon.
    public enum State: String, CaseIterable, Sendable {
        /// The daemon doesn't accept requests yet.
        case starting
        /// The daemon is working normally.
        case running
        /// The daemon is finishing what it has begun.
        case stopping
    }
}
