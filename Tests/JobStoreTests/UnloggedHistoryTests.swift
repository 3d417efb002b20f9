import JobModel
import TestSupport
import Testing

@testable import JobStore

/// Tests of which events are kept for an event log's file that can't take them.
struct UnloggedHistoryTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func tell(_ ids: ClosedRange<Int64>, loggedThrough: Int64?, in store: JobStore) throws {
        var changes = StoreChanges()
        // Of two jobs that are no neighbours in turns, so that each event has a row of its own.
        changes.events = ids.map { event($0, job: $0 % 2 * 2 + 1, .paused(name: "n"), after: Double($0)) }
        changes.loggedThrough = loggedThrough
        try store.commit(changes)
    }

    @Test("What the file lacks is kept past the history's limit, until the file has it")
    func kept() async throws {
        let store = try open(historyLimit: 100)
        try accept([try job(1), try job(2), try job(3)], into: store)
        for turn in 0..<5 {
            try tell(Int64(turn) * 1000 + 1...Int64(turn + 1) * 1000, loggedThrough: 10, in: store)
        }
        #expect(try await store.eventRange() == 10...5000)
        try tell(5001...6200, loggedThrough: 5900, in: store)
        #expect(try await store.eventRange() == 5900...6200)
        try tell(6201...7200, loggedThrough: 7200, in: store)
        let range = try #require(try await store.eventRange())
        #expect(range.lowerBound >= 7000, "who has it all needs the usual history only")
    }

    @Test("Past the limit for that, only the last event that the file has stays, and followers don't see it")
    func limit() async throws {
        let store = try JobStore(
            path: directory.path("facefetch.sqlite"),
            historyLimit: 100,
            unloggedLimit: 3000
        )
        try accept([try job(1), try job(2), try job(3)], into: store)
        for turn in 0..<8 {
            try tell(Int64(turn) * 1000 + 1...Int64(turn + 1) * 1000, loggedThrough: 10, in: store)
        }
        let events = try store.keptEvents(after: 0, limit: 10_000)
        #expect(events.first?.id == 10)
        let range = try #require(try await store.eventRange())
        #expect(range.lowerBound == events[1].id)
        #expect(range.lowerBound > 4000)
    }

    @Test("The reserve is written in parts, given back, and written again")
    func reserve() throws {
        let store = try open()
        var fills = [store.fillReserve()]
        while fills.last == .more { fills.append(store.fillReserve()) }
        #expect(fills.last == .full && fills.count == 8)
        #expect(try directory.read("facefetch.sqlite-reserve").count == 32 << 20)
        store.releaseReserve()
        #expect(try directory.read("facefetch.sqlite-reserve").isEmpty)
        #expect(store.fillReserve() == .more)
        #expect(JobStore.releaseReserve(of: directory.path("facefetch.sqlite")))
        #expect(!JobStore.releaseReserve(of: directory.path("facefetch.sqlite")))
    }
}
