import GRDB
import JobModel

/// The reason why a store could not be opened, with advice on what to do.
public enum JobStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file can't be opened or written.
    case cannotOpen(path: String, reason: String)
    /// The copy to be kept before a migration could not be made, for lack of space or permission.
    case cannotCopy(path: String, reason: String)
    /// The disk or a quota has no room for the store.
    case noRoom(path: String, reason: String)
    /// A newer version of facefetch has written the store.
    case newerSchema(path: String)
    /// A version of facefetch before the first release has written the store.
    case unreleasedSchema(path: String)
    /// The file is not a database, or is damaged.
    case corrupt(path: String, reason: String)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "can't open the job store \(path): \(reason); check that the directory exists and can be written"
        case .cannotCopy(let path, let reason):
            "can't copy the job store \(path) before it is brought up to date: \(reason); "
                + "make room beside it, and start the daemon again"
        case .noRoom(let path, let reason):
            "there is no room for the job store \(path): \(reason); make room on its disk"
        case .newerSchema(let path):
            "the job store \(path) was written by a newer facefetch; upgrade, or use another --state-dir"
        case .unreleasedSchema(let path):
            "the job store \(path) was written by a version before 0.2.0, of which there was no release; "
                + "move \(path)* away to start with an empty one, or use another --state-dir"
        case .corrupt(let path, let reason):
            "the job store \(path) is damaged: \(reason); move it away to start with an empty one"
        }
    }
}

extension StoreFailure {
    /// Translates an error of SQLite into what it means for the engine.
    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            self = .broken(String(describing: error))
            return
        }
        if error.resultCode == .SQLITE_FULL {
            self = .outOfSpace
        } else {
            self = .broken(error.message ?? error.resultCode.description)
        }
    }
}
