extension DetectionJSON {
    /// What came of looking for faces.
    public enum Outcome: String, CaseIterable, Sendable {
        /// The picture was read and its faces counted.
        case counted
        /// The document is no picture that can be read.
        case unreadable
        /// The detector, twice, ended without an answer or gave one that can't be.
        case crashed
        /// Looking took longer than allowed.
        case timedOut = "timed_out"
        /// Nobody looked, by choice.
        case skipped
    }
}
