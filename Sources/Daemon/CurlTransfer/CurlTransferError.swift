/// The reason why transfers are not possible at all.
public enum CurlTransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libcurl could not be set up; its error message is given.
    case libcurl(String)
    /// The thread could not be started; the system's error message is given.
    case thread(String)

    /// A sentence for people, without a full stop.
    public var description: String {
        switch self {
        case .libcurl(let words): "libcurl can't be used: \(words)"
        case .thread(let words): "the transfer thread can't be started: \(words)"
        }
    }
}
