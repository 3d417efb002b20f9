import JobModel
import Vocabulary

/// The place in a heap of a job, and of those that follow it and were queued together with it.
///
/// It is valid for those of them whose latest serial number it has.
struct TransferEntry: Comparable, Sendable {
    var job: JobID
    var serial: UInt32
    private var storedPriority: Int16
    /// The number of jobs that follow the first.
    private(set) var more: UInt16

    /// An entry for as many of the jobs from one to another as there can be in one.
    init(from first: JobID, through last: JobID, priority: Int32, serial: UInt32) {
        job = first
        self.serial = serial
        storedPriority = Int16(clamping: priority)
        more = UInt16(clamping: last.rawValue - first.rawValue)
    }

    /// The job behind the last one.
    var end: JobID { JobID(rawValue: job.rawValue + Int64(more) + 1) }

    /// The same entry without its first job; nil if there is no other.
    var rest: TransferEntry? {
        guard more > 0 else { return nil }
        var rest = self
        rest.job = JobID(rawValue: job.rawValue + 1)
        rest.more -= 1
        return rest
    }

    /// An entry for the first job only.
    var alone: TransferEntry {
        var alone = self
        alone.more = 0
        return alone
    }

    static func < (lhs: TransferEntry, rhs: TransferEntry) -> Bool {
        // In more bits, since a damaged store may hold any priority, and negating the lowest would trap.
        (-Int32(lhs.storedPriority), lhs.job) < (-Int32(rhs.storedPriority), rhs.job)
    }
}
