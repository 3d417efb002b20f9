import JobCore
import JobModel

/// Watching the disk fill up while bytes arrive.
///
/// Announced lengths are compared with the free space before a transfer is accepted. This is for bodies
/// of unknown length, and for disks that others write to as well.
extension TransferLoop {
    /// Returns why a transfer that has just written `count` bytes must stop; nil if it may go on.
    func lackOfRoom(_ transfer: Transfer, written count: Int) -> TransferEnd? {
        let reserve = configuration.diskReserve
        guard roomWatch.wrote(count, reserve: reserve), let free = transfer.freeBytes
        else { return nil }
        let promised = active.values.reduce(Int64(0)) { $0.saturatingAdd($1.transfer.promisedBytes ?? 0) }
        let room = DiskRoom(free: free, promised: promised, reserve: reserve)
        roomWatch.saw(room)
        return room.stop(lengthIsKnown: transfer.promisedBytes != nil).map {
            .interrupted($0, retryAfter: nil)
        }
    }
}
