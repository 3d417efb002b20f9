import JobCore

/// When the disk is asked for its room while bytes arrive.
///
/// Most writes are only counted: it is asked now and then, and at each one while room is tight.
struct RoomWatch {
    /// Bytes that were written since the disk was last asked.
    private var unseenBytes: Int64 = 0
    private var isTight = false

    /// Takes note of bytes that were written; true when the disk is to be asked.
    mutating func wrote(_ count: Int, reserve: Int64) -> Bool {
        unseenBytes += Int64(count)
        return isTight || unseenBytes >= DiskRoom.lookInterval(reserve: reserve)
    }

    /// The disk was asked, and this is what it has.
    mutating func saw(_ room: DiskRoom) {
        unseenBytes = 0
        isTight = room.isTight
    }
}
