/// Why a document store could not be opened, with what to do about it.
public enum DocumentStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A directory can't be made or written.
    case cannotWrite(path: String, reason: String)

    /// One sentence for people.
    public var description: String {
        switch self {
        case .cannotWrite(let path, let reason):
            "can't write in \(path): \(reason); make it writable for the daemon's user, or choose another directory"
        }
    }
}
