extension StatusJSON.Hold {
    /// The kinds of obstacle that keep work from being begun.
    public enum Kind: String, CaseIterable, Sendable {
        /// There is too little room on the disk.
        case disk
    }
}
