import Glibc
import JobCore

extension DocumentStore {
    /// Removes documents, and syncs their directory once for all of them.
    ///
    /// While somebody has taken the directory away, nothing is removed, which is to be done again.
    func remove(_ removals: [Removal]) -> (reports: [(JobID, StorageReport)], again: [Removal]) {
        guard !removals.isEmpty else { return ([], []) }
        guard place.trouble == nil else { return ([], removals) }
        let reports = removals.map { ($0.job, remove($0)) }
        // Otherwise a document could be back after a power cut, and belong to no job.
        _ = documents.sync()
        return (reports, [])
    }

    /// Removes a document that is still the file that was stored.
    ///
    /// It becomes the job's partial first: so what is removed is what was looked at, even if somebody
    /// replaces the document at this very moment, and what a crash leaves is removed at the next start.
    private func remove(_ removal: Removal) -> StorageReport {
        guard let name = name(in: removal.path) else { return .notRemoved }
        guard let mark = documents.file(name) else { return documents.holds(name) ? .notRemoved : .removed }
        let partial = Self.partialName(removal.job)
        guard mark == removal.mark, move.moveBack(name, in: documents, to: partial, in: partials) == 0
        else { return .notRemoved }
        guard let moved = partials.file(partial), moved.isSameContent(as: removal.mark) else {
            bringBack(partial, of: removal.job, as: name)
            return .notRemoved
        }
        return unlinkat(partials.descriptor, partial, 0) == 0 ? .removed : .notRemoved
    }

    /// Returns somebody's file to its name, or to one like it if that is in use.
    private func bringBack(_ partial: String, of job: JobID, as name: String) {
        var wanted = name
        while true {
            guard move.move(partial, in: partials, to: wanted, in: documents) == EEXIST else { break }
            wanted = freeName(like: name, for: job)
        }
        names.withLock { $0.release(job) }
    }

    /// Returns the name of a document in the documents directory; nil for a path that leads elsewhere.
    private func name(in path: String) -> String? {
        guard path.hasPrefix(documents.path + "/") else { return nil }
        let name = path.dropFirst(documents.path.count + 1)
        return name.isEmpty || name.contains("/") ? nil : String(name)
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
