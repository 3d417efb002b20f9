extension JobJSON {
    /// The proof that a document is as long as the server's file.
    public enum Length: String, CaseIterable, Sendable {
        /// The server announced the length, or how the body came says where it ends.
        case proven
        /// Only the closing of the connection showed where the file ends, which may have been a failure.
        case unproven
    }
}
