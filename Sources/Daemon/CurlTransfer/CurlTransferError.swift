/// The reason why there can be no transfers, or no thread of those who post.
public enum CurlTransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libcurl could not be set up; its error message is given.
    case libcurl(String)
    /// A thread could not be started; the system's error message is given.
    case thread(String)

    /// A sentence for people, with what to do, without a full stop.
    public var description: String {
        switch self {
        case .libcurl(let words): "libcurl can't be used: \(words)"
        case .thread(let words):
            "the machine starts no further threads for the daemon (\(words)): raise TasksMax= of its unit, or end "
                + "other programs of its user"
        }
    }
}
