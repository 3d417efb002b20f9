/// Why a document store could not be opened, with what to do about it.
public enum DocumentStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A directory can't be made or written.
    case cannotWrite(path: String, reason: String)
    /// Another daemon keeps its partials in this directory.
    case inUse(path: String)

    /// One sentence for people.
    public var description: String {
        switch self {
        case .cannotWrite(let path, let reason):
            "can't write in \(path): \(reason); make it writable for the daemon's user, or choose another directory"
        case .inUse(let path):
            "another facefetchd keeps its unfinished files in \(path); stop it first, or choose another --documents-dir"
        }
    }
}
