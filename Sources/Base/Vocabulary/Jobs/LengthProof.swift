/// The certainty that a document is as long as the server's file.
///
/// The raw values are stored, and are the words of the API.
public enum LengthProof: String, CaseIterable, Sendable {
    /// The server announced the length, or how the body came says where it ends (RFC 9112, section 6.3).
    case proven
    /// Only the closing of the connection showed where the file ends (RFC 9112, section 8), which may have been a
    /// failure.
    case unproven
}
