import JobCore
import JobModel
import Testing

struct StoreRoomTests {
    private let now = Moment(microseconds: 1_795_243_503_000_000)

    @Test("The reserve is released after everybody else has stopped writing, and once")
    func order() {
        var room = StoreRoom()
        #expect(!room.isShort && room.remedy == nil)
        room.commitFailed(now: now)
        #expect(room.isShort)
        #expect(room.remedy == .stopWriters)
        room.reserveReleased()
        #expect(room.remedy == .stopWriters, "not before")
        room.writersStopped(false)
        #expect(room.remedy == .stopWriters, "somebody still writes")
        room.writersStopped(true)
        #expect(room.remedy == .releaseReserve)
        room.reserveReleased()
        #expect(room.remedy == nil)
        room.commitFailed(now: now)
        #expect(room.remedy == nil, "there is nothing more to give")
    }

    @Test("The others go on when the reserve is full again, and not while it is being filled")
    func refilled() {
        var room = StoreRoom()
        room.startShort(now: now)
        #expect(!room.isDue(now: now))
        let later = now.adding(seconds: StoreRoom.interval)
        #expect(room.isDue(now: later))
        #expect(room.filled(.noRoom, now: later) == nil)
        #expect(!room.isDue(now: later))
        let again = later.adding(seconds: StoreRoom.interval)
        #expect(room.filled(.more, now: again) == nil)
        #expect(room.isShort && room.isDue(now: again), "it goes on at once")
        #expect(room.filled(.full, now: again) == .letWritersGoOn)
        #expect(!room.isShort && room.fillAt == nil)
    }

    @Test("A clock that is set back keeps nobody waiting")
    func clock() {
        var room = StoreRoom()
        room.startShort(now: now)
        var later = now.adding(seconds: StoreRoom.interval)
        later.wall = later.wall.adding(seconds: -1000)
        #expect(room.isDue(now: later))
    }
}
