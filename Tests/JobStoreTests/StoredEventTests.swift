import JobCore
import TestSupport
import Testing

@testable import JobStore

/// The history of events.
struct StoredEventTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("Every kind of event comes back as it was told, whatever is in its texts")
    func events() async throws {
        let store = try open()
        try accept([try job(1), try job(2)], into: store)
        let odd = "tab\there\\there\nnew line, \"quotes\", ü and a return\r"
        let kinds: [JobEvent.Kind] = [
            .started(url: odd), .progressed(name: odd, percent: 10), .received(name: odd, bytes: 5),
            .resumed(name: odd, offset: 1, total: 2), .resumed(name: odd, offset: 1, total: nil),
            .restarted(name: odd, reason: odd), .finished(url: odd, partialPath: odd),
            .stored(name: odd, path: odd),
            .waiting(name: odd, until: accepted.wall, reason: JobFailure(.timedOut, odd)),
            .failed(url: odd, failure: JobFailure(.diskFull, odd)), .paused(name: odd), .continued(name: odd),
            .cancelled(name: odd), .detectionStarted(name: odd), .detectionFinished(name: odd, faceCount: 3),
            .evicted(name: odd), .removed(name: odd), .detectionDeferred(name: odd),
            .detectionFailed(name: odd, outcome: .timedOut),
            .detectionFinished(name: odd, faceCount: 3, sharedFrom: JobID(rawValue: 7)),
            .detectionFailed(name: odd, outcome: .crashed, sharedFrom: JobID(rawValue: 7)),
        ]
        var changes = StoreChanges()
        changes.events = kinds.enumerated().map { index, kind in
            // Some rows hold several events, some one.
            // The time goes on within a row, too.
            let seconds = Double(index / 2) * 0.001
            return event(
                Int64(index + 1),
                job: index < 9 ? 1 : Int64(index % 2 + 1),
                kind,
                after: seconds
            )
        }
        try store.commit(changes)
        #expect(try await store.events(after: 0, limit: 100, batch: nil) == changes.events)
        #expect(try await store.events(after: 4, limit: 100, batch: nil) == Array(changes.events[4...]))
        #expect(try await store.events(after: 0, limit: 100, batch: BatchID(rawValue: 2)).isEmpty)
        #expect(try await store.eventRange() == 1...Int64(kinds.count))
        #expect(try store.latestEvents(limit: 2) == Array(changes.events.suffix(2)))
    }

    @Test("A moment finds the place in the history from which on events happened then or later")
    func moments() async throws {
        let store = try open()
        #expect(try await store.lastEvent(before: accepted.wall) == 0)
        try accept([try job(1)], into: store)
        var id: Int64 = 0
        // Rows of one to three events, a second apart from row to row.
        for second in 0..<50 {
            var changes = StoreChanges()
            changes.events = (0...(second % 3)).map { _ in
                id += 1
                return event(id, .paused(name: "n"), after: Double(second))
            }
            try store.commit(changes)
        }
        let all = try await store.events(after: 0, limit: 1000, batch: nil)
        for second in -1...51 {
            for part in [0, 0.5] {
                let moment = accepted.adding(seconds: Double(second) + part)
                let last = try await store.lastEvent(before: moment.wall)
                #expect(last == all.last { $0.time < moment }?.id ?? 0)
            }
        }
    }

    @Test("The history is bounded, and says where it begins")
    func history() async throws {
        let store = try open(historyLimit: 100)
        try accept([try job(1)], into: store)
        for turn in 0..<30 {
            var changes = StoreChanges()
            changes.events = (1...100).map {
                event(Int64(turn * 100 + $0), .paused(name: "n"), after: Double(turn * 100 + $0))
            }
            try store.commit(changes)
        }
        let range = try #require(try await store.eventRange())
        #expect(range.upperBound == 3000)
        #expect(range.lowerBound > 1000)
        #expect(try await store.events(after: 0, limit: 1, batch: nil).first?.id == range.lowerBound)
    }
}
