import Glibc
import JobModel
import Synchronization

/// The folders in the documents directory that one turn of a thread works in, each opened once.
///
/// Each part of a path is opened by itself and may not be a link, so that nothing leads out of the documents
/// directory. A folder is made, and its entry synced, before anything is moved into it. It is confined to its
/// thread.
final class OpenFolders {
    /// The reason why a folder can't be opened or made.
    struct Failure: Error {
        /// The errno.
        let number: CInt
    }

    private let top: Directory
    private let durable: DurableFolders
    private var opened: [DocumentFolder: (directory: Directory, isDurable: Bool)] = [:]

    /// The most folders that a thread keeps open; more are opened anew each time.
    private static let most = 32

    init(in documents: Directory, _ durable: DurableFolders) {
        (top, self.durable) = (documents, durable)
    }

    /// Opens a folder as it is; nil where there is none.
    func existing(_ folder: DocumentFolder) -> Directory? {
        if folder.isTop { return top }
        if let known = opened[folder] { return known.directory }
        do throws(Failure) {
            return try open(folder, needsDurable: false) { name, parent, _ throws(Failure) in
                try Self.open(name, in: parent)
            }
        } catch { return nil }
    }

    /// Opens a folder, and makes what is missing of it; it then survives a power cut.
    func making(_ folder: DocumentFolder) throws(Failure) -> Directory {
        if folder.isTop { return top }
        if let known = opened[folder], known.isDurable { return known.directory }
        return try open(folder, needsDurable: true) { name, parent, folder throws(Failure) in
            try make(name, folder, in: parent)
        }
    }

    /// Returns whether a folder survives a power cut, and syncs what that takes.
    func isDurable(_ folder: DocumentFolder) -> Bool {
        do throws(Failure) { _ = try making(folder) } catch { return false }
        return true
    }

    /// Forgets a folder that somebody has removed or replaced, and those that it lies in, which may be others as well.
    func forget(_ folder: DocumentFolder) {
        var folder = folder
        while !folder.isTop {
            opened[folder] = nil
            folder = folder.parent
        }
    }

    /// Removes a folder if it is empty, and those that it lies in if they are then.
    ///
    /// Whoever is about to move something into it finds that it is gone, and makes it again.
    func prune(_ folder: DocumentFolder) {
        var folder = folder
        while !folder.isTop, let name = folder.parts.last {
            // What wasn't made at all leaves those above it.
            if let parent = existing(folder.parent),
                unlinkat(parent.descriptor, name, AT_REMOVEDIR) != 0, errno != ENOENT
            {
                return
            }
            durable.forget(folder)
            forget(folder)
            folder = folder.parent
        }
    }

    /// Returns the failure for what can't be done in a folder because it can't be one, or isn't ours to write to; nil
    /// for another reason.
    static func failure(_ number: CInt, of folder: DocumentFolder) -> JobFailure? {
        guard !folder.isTop else { return nil }
        let words: String
        switch number {
        case ENOTDIR, ELOOP: words = "a file or a link, which isn't followed, has its place"
        case EACCES, EPERM:
            let reason = "the folder \"\(folder.path)\" can't be written to: \(describe(number))"
            return JobFailure(.storageError, reason)
        case EXDEV: words = "it is on another disk than the documents directory"
        default: return nil
        }
        return JobFailure(.badFolder, "the folder \"\(folder.path)\" can't be used: \(words)")
    }

    /// Opens a folder part by part.
    ///
    /// `needsDurable` says that each part that `enter` returns survives a power cut, and that those which are open
    /// already are used only if they do.
    private func open(
        _ folder: DocumentFolder,
        needsDurable: Bool,
        by enter: (_ name: String, _ parent: Directory, _ folder: DocumentFolder) throws(Failure) -> Directory
    ) throws(Failure) -> Directory {
        var (directory, path) = (top, DocumentFolder())
        for name in folder.parts {
            guard let inner = DocumentFolder(stored: path.placing(name)) else {
                throw Failure(number: EINVAL)
            }
            path = inner
            if let known = opened[path], known.isDurable || !needsDurable {
                directory = known.directory
                continue
            }
            directory = try enter(name, directory, path)
            if opened.count >= Self.most { opened = [:] }
            opened[path] = (directory, needsDurable)
        }
        return directory
    }

    private static func open(_ name: String, in parent: Directory) throws(Failure) -> Directory {
        let descriptor = openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        return Directory(owning: descriptor, path: parent.path + "/" + name)
    }

    /// Opens one of a folder's parts, or makes it first, and syncs its entry unless that is known to be synced.
    private func make(
        _ name: String,
        _ folder: DocumentFolder,
        in parent: Directory
    ) throws(Failure) -> Directory {
        let directory: Directory
        do throws(Failure) { directory = try Self.open(name, in: parent) } catch {
            guard error.number == ENOENT else { throw error }
            durable.forget(folder)
            // Another thread may have made it meanwhile.
            guard mkdirat(parent.descriptor, name, 0o755) == 0 || errno == EEXIST else {
                throw Failure(number: errno)
            }
            directory = try Self.open(name, in: parent)
        }
        var status = stat()
        guard fstat(directory.descriptor, &status) == 0 else { throw Failure(number: errno) }
        let identity = DurableFolders.Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
        guard !durable.knows(folder, identity) else { return directory }
        let number = parent.sync()
        guard number == 0 else { throw Failure(number: number) }
        durable.note(folder, identity)
        return directory
    }
}

/// The folders whose entries are known to be on the disk, so that they needn't be synced again.
final class DurableFolders: Sendable {
    /// The number of a directory, by which one that was replaced is known.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let number: UInt64
    }

    private let known = Mutex<[DocumentFolder: Identity]>([:])

    /// The most folders kept; a million documents in folders of 256 take 4000.
    private static let capacity = 10_000

    /// Returns whether a folder is known, and still the same.
    func knows(_ folder: DocumentFolder, _ identity: Identity) -> Bool {
        known.withLock { $0[folder] == identity }
    }

    /// Notes that a folder's entry has been synced.
    func note(_ folder: DocumentFolder, _ identity: Identity) {
        known.withLock { known in
            if known.count >= Self.capacity { known = [:] }
            known[folder] = identity
        }
    }

    /// Forgets a folder that is made or removed.
    func forget(_ folder: DocumentFolder) { known.withLock { $0[folder] = nil } }
}
