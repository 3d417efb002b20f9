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

/// Decides when to check the disk's free space while bytes arrive.
///
/// Most writes are only counted. The disk is checked now and then, and at each write while room is
/// tight.
struct RoomWatch {
    /// The bytes written since the last check.
    private var unseenBytes: Int64 = 0
    private var isTight = false

    /// Counts bytes written; returns whether to check the disk.
    mutating func wrote(_ count: Int, reserve: Int64) -> Bool {
        unseenBytes += Int64(count)
        return isTight || unseenBytes >= DiskRoom.lookInterval(reserve: reserve)
    }

    /// Records the result of a check.
    mutating func saw(_ room: DiskRoom) {
        unseenBytes = 0
        isTight = room.isTight
    }
}
