extension DetectionJSON {
    /// The outcome of looking for faces.
    public enum Outcome: String, CaseIterable, Sendable {
        /// The picture was read and its faces counted.
        case counted
        /// The document is not a picture that can be read.
        case unreadable
        /// Twice the detector ended without an answer, or gave an impossible one.
        case crashed
        /// Detection took longer than allowed.
        case timedOut = "timed_out"
        /// Nobody looked, because detection, or the engine asked for, is switched off.
        case skipped
    }
}
