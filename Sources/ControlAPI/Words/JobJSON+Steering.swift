extension JobJSON {
    /// What can be done to a job, or to all of them: the last part of the path that is posted to.
    public enum Steering: String, CaseIterable, Sendable {
        /// Hold it, keeping what is there of its file.
        case pause
        /// Let it go on.
        case resume
        /// End it, and remove what has been fetched of it; a document stays.
        case cancel
        /// Try again now, from another URL where the body names one.
        case retry
        /// Look for faces again, with another engine where the body names one.
        case detect
    }
}
