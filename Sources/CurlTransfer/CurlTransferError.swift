/// A reason why no transfer can be made at all.
public enum CurlTransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libcurl could not be set up; carries its own words.
    case libcurl(String)
    /// The thread could not be started; carries the system's words.
    case thread(String)

    /// One sentence for people, without a full stop.
    public var description: String {
        switch self {
        case .libcurl(let words): "libcurl can't be used: \(words)"
        case .thread(let words): "the transfer thread can't be started: \(words)"
        }
    }
}
