/// An error of the process at the other end of a pipe.
///
/// After such an error, nothing more can be read from it.
public enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message longer than ``DetectorFrame/maximumLength`` bytes.
    case oversize(Int)
    /// A message that isn't the JSON that was expected.
    case garbage(String)
    /// The pipe ended within a message.
    case truncated

    /// A description of the error.
    public var description: String {
        switch self {
        case .oversize(let length):
            "a message of \(length) bytes; at most \(DetectorFrame.maximumLength) are allowed"
        case .garbage(let reason): "a message that makes no sense: \(reason)"
        case .truncated: "the pipe ended within a message"
        }
    }
}
