import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

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
            .stored(name: odd, path: odd), .stored(name: odd, path: odd, length: .unproven),
            .detectionCancelled(name: odd),
            .waiting(name: odd, until: accepted.wall, reason: JobFailure(.timedOut, odd)),
            .failed(url: odd, failure: JobFailure(.diskFull, odd)), .paused(name: odd), .continued(name: odd),
            .cancelled(name: odd), .detectionStarted(name: odd), .detectionFinished(name: odd, faceCount: 3),
            .evicted(name: odd), .removed(name: odd), .detectionDeferred(name: odd),
            .detectionFailed(name: odd, outcome: .timedOut),
            .detectionFinished(name: odd, faceCount: 3, sharedFrom: JobID(rawValue: 7)),
            .detectionFailed(name: odd, outcome: .crashed, sharedFrom: JobID(rawValue: 7)),
            .detectionFailed(name: odd, outcome: .unreadable, reason: odd),
            .detectionFailed(name: odd, outcome: .unreadable, sharedFrom: JobID(rawValue: 7), reason: odd),
        ]
        var changes = StoreChanges()
        changes.events = kinds.enumerated().map { index, kind in
            // Some rows hold several events, some one.
            // The time goes on within a row, too.
            let seconds = Double(index / 2) * 0.001
            return event(
                Int64(index + 1),
                job: index < 11 ? 1 : Int64(index % 2 + 1),
                kind,
                after: seconds
            )
        }
        try store.commit(changes)
        #expect(try await store.events(after: 0, limit: 100, batch: nil) == changes.events)
        #expect(try await store.events(after: 4, limit: 100, batch: nil) == Array(changes.events[4...]))
        #expect(try await store.events(after: 0, limit: 100, batch: BatchID(rawValue: 2)).isEmpty)
        #expect(try await store.eventRange() == 1...Int64(kinds.count))
        let latest = try store.latestEvents(limit: 2)
        #expect(latest.count >= 2 && latest == Array(changes.events.suffix(latest.count)))
    }

    @Test("Events of neighbours share rows, and each comes back as its own")
    func neighbours() async throws {
        let store = try open()
        try accept(try (1...60).map { try job($0) }, into: store)
        var changes = StoreChanges()
        func tell(_ job: Int64, _ kind: JobEvent.Kind, after seconds: Double = 0) {
            let id = Int64(changes.events.count + 1)
            changes.events.append(event(id, job: job, kind, after: seconds))
        }
        for job in 1...40 as ClosedRange<Int64> { tell(job, .paused(name: "\(job)")) }
        // Of one name, as if they were the steps of one file.
        for job in 41...43 as ClosedRange<Int64> {
            tell(job, .progressed(name: "n", percent: Int(job - 40) * 10))
            tell(job, .progressed(name: "n", percent: Int(job - 39) * 10))
        }
        // Backwards, with a gap, and later.
        for job in [50, 49, 51, 52, 52, 53] as [Int64] {
            tell(job, .cancelled(name: "+1\t-1,2"), after: Double(changes.events.count) / 1000)
        }
        try store.commit(changes)
        #expect(try await store.events(after: 0, limit: 100, batch: nil) == changes.events)
        for after in changes.events.indices {
            let rest = Array(changes.events[after...])
            #expect(try await store.events(after: Int64(after), limit: 100, batch: nil) == rest)
        }
        let rows = try await store.database.read {
            try Row.fetchAll($0, sql: "SELECT job, count FROM events ORDER BY id").map {
                [$0[0] as Int64, $0[1] as Int64]
            }
        }
        #expect(rows == [[1, 16], [17, 16], [33, 14], [50, 1], [49, 1], [51, 4]])
        #expect(try await store.eventRange() == 1...Int64(changes.events.count))
    }

    @Test("A line that makes no sense costs the events on it, and nothing else of its row")
    func damagedLine() async throws {
        let store = try open()
        try accept([try job(1), try job(2), try job(3)], into: store)
        var changes = StoreChanges()
        changes.events = [1, 2, 3].map { event($0, job: $0, .paused(name: "n"), after: Double($0)) }
        try store.commit(changes)
        for line in [
            "+\tpaused\tn", "+x\tpaused\tn", "-\tpaused\tn", "+1\t-x\tpaused\tn", "+1", "",
            "nonsense",
        ] {
            try await store.database.write {
                try $0.execute(
                    sql: "UPDATE events SET body = ?",
                    arguments: ["-2000000\tpaused\tn\n\(line)\n+2\tpaused\tn"]
                )
            }
            let events = try await store.events(after: 0, limit: 100, batch: nil)
            #expect(events == [changes.events[0], changes.events[2]], "\(line)")
        }
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
