import JobCore
import Testing

@testable import CurlTransfer

/// Tests of when the disk is asked for its room.
struct RoomWatchTests {
    private let reserve: Int64 = 1 << 30

    @Test("The disk is asked once so many bytes were written, and at each write while it is tight")
    func asks() {
        var watch = RoomWatch()
        let interval = Int(DiskRoom.lookInterval(reserve: reserve))
        let ample = DiskRoom(free: 1 << 40, promised: 0, reserve: reserve)
        let tight = DiskRoom(free: reserve - 1, promised: 0, reserve: reserve)
        let writes: [(count: Int, room: DiskRoom?)] = [
            (interval - 1, nil), (1, ample), (interval - 1, nil), (1, tight), (1, ample), (1, nil),
        ]
        let asks = writes.map { write in
            defer { if let room = write.room { watch.saw(room) } }
            return watch.wrote(write.count, reserve: reserve)
        }
        #expect(asks == [false, true, false, true, true, false])
    }
}
