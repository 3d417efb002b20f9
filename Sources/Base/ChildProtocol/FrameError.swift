/// An error of the process at the other end of a pipe.
///
/// After such an error, nothing more can be read from it.
public enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A length that no message can have, in bytes.
    case length(Int)
    /// An unknown kind of message, or one that isn't the other end's to send.
    case kind(UInt8)
    /// A message that isn't the JSON that was expected.
    case garbage(String)
    /// The pipe ended within a message.
    case truncated

    /// A description of the error.
    public var description: String {
        switch self {
        case .length(let length): "a message of \(length) bytes, a length that no message has"
        case .kind(let kind): "a message of the unknown kind \(kind)"
        case .garbage(let reason): "a message that makes no sense: \(reason)"
        case .truncated: "the pipe ended within a message"
        }
    }
}
