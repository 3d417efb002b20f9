import JobCore

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
