import EngineSupport
import JobModel
import Testing

@testable import JobEngine

/// Tests of what is done for a store whose disk has no room, and in which order.
struct StoreKeeperTests {
    private let parts: PartBench
    private var heard: [String] { parts.outside.all.room }

    init() throws { parts = try PartBench() }

    private func keeper(_ clock: SteadyClock? = nil) -> StoreKeeper {
        let keeper = StoreKeeper(parts.bench.ports, clock: clock)
        parts.outside.change { $0.room = [] }
        return keeper
    }

    @Test("Everybody else stops writing before the reserve is the store's, which is then used up")
    func makesRoom() throws {
        var keeper = keeper()
        keeper.commitFailed(now: parts.now)
        #expect(keeper.isShortOfRoom)
        let hasMade = keeper.makeRoom()
        #expect(hasMade && heard == ["hold", "hold", "release"])
        keeper.commitFailed(now: parts.now)
        let hasMore = keeper.makeRoom()
        #expect(!hasMore && heard.count == 3, "there is only one")
    }

    @Test(
        "While somebody doesn't stop in time, the reserve stays where it is; it is given away once all have"
    )
    func waitsForWriters() throws {
        var keeper = keeper()
        parts.outside.change { $0.stopsInTime = false }
        keeper.commitFailed(now: parts.now)
        let isEarly = keeper.makeRoom()
        #expect(!isEarly && heard == ["hold", "hold"])
        parts.outside.change { $0.stopsInTime = true }
        let hasMade = keeper.makeRoom()
        #expect(hasMade && heard.last == "release")
    }

    @Test("The reserve is looked after once a second, and the others go on once it is full")
    func fills() throws {
        var keeper = keeper()
        keeper.commitFailed(now: parts.now)
        _ = keeper.makeRoom()
        parts.store.fills.withLock { $0 = [.noRoom, .more, .full] }
        parts.outside.change { $0.room = [] }
        keeper.tendReserve(now: parts.now.adding(seconds: 0.9))
        #expect(heard.isEmpty)
        let fillsAt = try #require(keeper.fillsAt)
        keeper.tendReserve(now: fillsAt)
        #expect(heard == ["fill"] && keeper.isShortOfRoom)
        keeper.tendReserve(now: fillsAt.adding(seconds: 1))
        #expect(keeper.isShortOfRoom, "a part of it is there")
        keeper.tendReserve(now: fillsAt.adding(seconds: 1))
        #expect(!keeper.isShortOfRoom && keeper.fillsAt == nil)
        #expect(heard == ["fill", "fill", "fill", "go on", "go on"])
    }

    @Test("A start takes the reserve whole, by parts; without room for it, it begins short")
    func begins() throws {
        var keeper = keeper()
        parts.store.fills.withLock { $0 = [.more, .more, .full] }
        keeper.beginWithReserve(now: parts.now)
        #expect(heard == ["fill", "fill", "fill", "go on", "go on"] && !keeper.isShortOfRoom)
        var short = self.keeper()
        parts.store.fills.withLock { $0 = [.noRoom] }
        short.beginWithReserve(now: parts.now)
        #expect(heard == ["fill", "hold", "hold"] && short.isShortOfRoom)
    }

    @Test("A commit without room fails and keeps what it was given; a broken disk is said to be broken")
    func failures() throws {
        var keeper = keeper()
        for failure in [StoreFailure.outOfSpace, .broken("disk I/O error")] {
            parts.store.fail(with: failure)
            let now = parts.now
            #expect(throws: failure) { try keeper.write(StoreChanges(), now: now) }
        }
        parts.store.fail(with: nil)
        try keeper.write(StoreChanges(), now: parts.now)
    }
}
