import Glibc
import JobModel
import Vocabulary

extension DocumentStore {
    /// Removes documents, and syncs their folders once for all of them; those that are empty then go, too.
    ///
    /// While somebody has taken the directory away, nothing is removed, which is to be done again.
    func remove(_ removals: [Removal]) -> (reports: [(JobID, StorageReport)], again: [Removal]) {
        guard !removals.isEmpty else { return ([], []) }
        guard place.trouble == nil else { return ([], removals) }
        let folders = OpenFolders(in: documents, durable)
        let reports = removals.map { ($0.job, remove($0, folders)) }
        // Also where an earlier run has removed the document, and was killed before this.
        for (removal, report) in zip(removals, reports) where report.1 == .removed {
            hearers.removed(removal.path)
        }
        for folder in Set(removals.compactMap { place(of: $0.path)?.folder }) {
            // Otherwise a document could be back after a power cut, and belong to no job.
            _ = folders.existing(folder)?.sync()
            folders.prune(folder)
        }
        return (reports, [])
    }

    /// Removes a document that is still the file that was stored.
    ///
    /// It becomes the job's partial first: so what is removed is what was looked at, even if somebody
    /// replaces the document at this very moment, and what a crash leaves is removed at the next start.
    private func remove(_ removal: Removal, _ folders: OpenFolders) -> StorageReport {
        guard let (folder, name) = place(of: removal.path) else { return .notRemoved }
        // A folder that is gone has no document, and one that a link has taken the place of isn't looked into.
        guard let directory = folders.existing(folder) else {
            return documents.lacks(folder.placing(name)) ? .removed : .notRemoved
        }
        guard let mark = directory.file(name) else { return directory.holds(name) ? .notRemoved : .removed }
        let partial = Self.partialName(removal.job)
        guard mark == removal.mark, move.moveBack(name, in: directory, to: partial, in: partials) == 0
        else { return .notRemoved }
        guard let moved = partials.file(partial), moved.isSameContent(as: removal.mark) else {
            bringBack(partial, of: removal.job, as: name, in: folder, directory)
            return .notRemoved
        }
        return unlinkat(partials.descriptor, partial, 0) == 0 ? .removed : .notRemoved
    }

    /// Returns somebody's file to its name, or to one like it if that is in use.
    private func bringBack(
        _ partial: String,
        of job: JobID,
        as name: String,
        in folder: DocumentFolder,
        _ directory: Directory
    ) {
        var wanted = name
        while true {
            guard move.move(partial, in: partials, to: wanted, in: directory) == EEXIST else { break }
            wanted = freeName(like: name, in: folder, for: job)
        }
        names.withLock { $0.release(job) }
    }

    /// Returns the folder and the name of a document in the documents directory; nil for a path that leads elsewhere.
    private func place(of path: String) -> (folder: DocumentFolder, name: String)? {
        // By bytes: a slash and what follows it can be one character.
        let (bytes, top) = (path.utf8, (documents.path + "/").utf8)
        guard bytes.starts(with: top) else { return nil }
        let rest = bytes.dropFirst(top.count)
        let slash = rest.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { rest[$0...].dropFirst() } ?? rest
        guard !name.isEmpty,
            let folder = DocumentFolder(stored: slash.map { String(Substring(rest[..<$0])) } ?? "")
        else { return nil }
        return (folder, String(Substring(name)))
    }
}

/// A document to be removed.
struct Removal: Sendable {
    var job: JobID
    var path: String
    /// The mark of the file that was stored.
    var mark: FileMark
}

extension FileMark {
    /// Returns whether this is the mark of the same file, to which nobody has written; it may have been
    /// renamed.
    fileprivate func isSameContent(as other: FileMark) -> Bool {
        inode == other.inode && length == other.length && modified == other.modified
    }
}
