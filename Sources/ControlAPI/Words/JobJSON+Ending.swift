extension JobJSON {
    /// What a job comes to, as those who follow are told of it.
    public enum Ending: String, CaseIterable, Sendable {
        /// Its document stands under its name.
        case stored
        /// Its document has been looked at.
        case done
        /// It has ended without a document.
        case failed
        /// A person has ended it.
        case cancelled
    }
}
