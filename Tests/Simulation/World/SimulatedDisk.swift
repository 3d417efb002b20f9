import JobModel
import Vocabulary

/// The disk of partials and documents, which outlives the daemon.
struct SimulatedDisk {
    /// A file that isn't complete, or not known to be.
    struct Partial {
        var inode: UInt64
        var length: Int64 = 0
        /// The bytes that survive a power cut.
        var synced: Int64 = 0
        /// The version of the server's file that it has bytes of.
        var version: String
        /// The length of that version.
        var whole: Int64
        var modified: Int64
    }

    /// A file under its final name.
    struct Stored {
        var mark: FileMark
        var job: JobID
        var version: String
    }

    var partials: [JobID: Partial] = [:]
    var documents: [String: Stored] = [:]
    /// The bodies from memory that became documents, of which the store of jobs may not know.
    var unconfirmed: [JobID: UnconfirmedDocument] = [:]
    /// The times until which it is full, hangs, and takes nothing, in seconds.
    var isFullUntil = -1.0
    var hangsUntil = -1.0
    var isReadOnlyUntil = -1.0
    private var lastInode: UInt64 = 1000

    mutating func makeInode() -> UInt64 {
        lastInode += 1
        return lastInode
    }

    /// Loses what was not synced.
    mutating func losePower() {
        for job in partials.keys {
            guard let partial = partials[job] else { continue }
            partials[job]?.length = partial.synced
        }
    }

    /// Returns the first name like the wanted one that no document has.
    func freeName(_ name: String, besides claimed: Set<String>) -> String {
        var free = name
        var number = 1
        while documents["/d/" + free] != nil || claimed.contains(free) {
            number += 1
            free = "\(name)-\(number)"
        }
        return free
    }
}
