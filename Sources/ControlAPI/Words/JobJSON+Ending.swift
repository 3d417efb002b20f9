extension JobJSON {
    /// Endings of a job, as followers are told them.
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
