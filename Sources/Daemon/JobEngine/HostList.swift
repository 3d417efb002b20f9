import JobCore
import JobModel

/// The hosts of unfinished jobs as they were after an input, of which a list is made by whoever wants it.
struct HostList: Sendable {
    /// The queue, which is copied only where it changes meanwhile.
    let transfers: TransferQueue
    /// The time of the input.
    let now: Moment

    /// Returns the hosts, by the bytes of their names.
    func made() -> [HostStatus] {
        transfers.hostStatuses(now: now).sorted { $0.host.utf8.lexicographicallyPrecedes($1.host.utf8) }
    }
}
