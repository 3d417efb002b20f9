import EngineSupport
import Foundation
import GRDB
import JobModel
import TestSupport
import TestTraits
import Testing
import Vocabulary

@testable import JobEngine
@testable import JobStore

/// Nonsense in any column of any table costs at most the row that it is in.
///
/// Closing a store waits for those who read it, who may need one of the threads that all tests share.
@Suite(.ownThread) struct DamagedRowTests {
    /// Values that damage may make, in SQL.
    private static let nonsense = [
        "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "1e300", "'nonsense'", "''",
        "x'FF00C3'", "CAST(x'C328FF' AS TEXT)", "'9999-12-31'", "'{\"a\":[}'",
    ]

    /// A store in which much has happened: jobs 1 to 12, in three batches of four.
    private static func make(at path: String) async throws {
        let harness = try EngineHarness(configuration, path: path)
        for batch in 0..<3 {
            let urls = (1...4).map { "http://example.org/\(batch * 4 + $0).jpg" }
            _ = try harness.submit(urls, key: .init(key: "key \(batch)", bodyDigest: "digest"))
        }
        for job in [1, 2] as [Int64] {
            try harness.download(job)
            var result = DetectionResult(outcome: .counted, engine: "haar")
            result.picture = SeenPicture(width: 640, height: 480, orientation: 1, format: "jpeg")
            result.picture?.fingerprint = Fingerprint(bits: UInt64(job))
            try harness.turn(.detected(JobID(rawValue: job), result))
        }
        // 3 waits, 4 has failed, 5 is paused; the others are on their way, or in the queue.
        let failure = JobFailure(.connectFailed, "nobody answers")
        try harness.report(3, .ended(.interrupted(failure, retryAfter: 3600)))
        try harness.report(4, .ended(.refused(failure)))
        _ = try harness.steer(.pause, 5)
        for isOpen in [false, true] { try harness.turn(.setGate(open: isOpen, reply: { _ in })) }
        try harness.untilWritten()
        try harness.core.settle(now: harness.now)
        var changes = StoreChanges()
        changes.clock = StoredClock(boot: "one", ahead: 1, moment: harness.now)
        changes.emptyAnswers = [.init(idempotencyKey: "k", submittedBy: 7, bodyDigest: "d", known: 3)]
        try harness.store.real.commit(changes)
        try harness.store.real.close()
        try await DamagedSources.make(at: path)
    }

    private static let configuration = JobEngineConfiguration(transfers: .init(total: 4, perHost: 4))

    /// The table in which every value is planted everywhere, which takes minutes, instead of some of them;
    /// `all` for all tables.
    private static let thorough = ProcessInfo.processInfo.environment["FACEFETCH_DAMAGE"]

    @Test(
        "Any value of any row",
        arguments: [
            "jobs", "batches", "events", "job_counts", "switches", "clock", "numbers", "identity",
            "grdb_migrations", "sources", "source_keys", "source_slices", "source_pages", "empty_answers",
            "fingerprints", "handed_items",
        ]
    )
    func anyValue(name: String) async throws {
        // Where a sync costs nothing, since there are hundreds of stores.
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let whole = directory.path("whole.sqlite")
        try await Self.make(at: whole)
        let tables = try PlantedDamage.Table.all(whole)
        #expect(
            Set(tables.map(\.name)) == [
                "jobs", "batches", "events", "job_counts", "switches", "clock", "numbers", "identity",
                "grdb_migrations", "sources", "source_keys", "source_slices", "source_pages", "empty_answers",
                "fingerprints", "handed_items",
            ]
        )
        let table = try #require(tables.first { $0.name == name })
        let rows: [Int64] =
            switch name {
            case "jobs": [0, 2, 5, 6]  // done, waiting, fetched when the daemon ended, queued or so
            case "batches", "job_counts": [0, 1, 2]
            case "events": [0, 5, Int64(try Self.history(whole).rows.count) - 1]
            case "sources": [0, 1]
            default: [0]
            }
        let isThorough = ["all", name].contains(Self.thorough) || name == "grdb_migrations"
        let hasSources = name.hasPrefix("source") || name == "handed_items"
        let history = try Self.history(whole)
        #expect(history.rows.count > 6)
        let path = directory.path("damaged.sqlite")
        var (turn, tried, planted) = (0, 0, 0)
        for (number, row) in rows.enumerated() {
            for (offset, column) in table.columns.enumerated()
            where isThorough || offset % rows.count == number {
                for isOnDisk in table.indexed.contains(column) ? [false, true] : [false] {
                    turn += 1
                    let place = PlantedDamage.Place(table: name, column: column, row: row, isOnDisk: isOnDisk)
                    let some = Self.nonsense.enumerated().filter { isThorough || ($0.offset + turn) % 6 == 0 }
                    let inside = try DamagedSources.values(in: whole, place, isThorough: isThorough)
                    for value in some.map(\.element) + inside {
                        try Self.copy(whole, to: path)
                        tried += 1
                        guard try PlantedDamage.plant(value, place, of: table, in: path) else { continue }
                        planted += 1
                        do {
                            try await Self.check(
                                path,
                                damaged: name == "jobs" ? row + 1 : nil,
                                history: name == "events" ? history.without(row) : history,
                                "\(place) = \(value)"
                            )
                            if hasSources { try await DamagedSources.check(path, "\(place) = \(value)") }
                        } catch {
                            Issue.record("\(place) = \(value): \(error)")
                        }
                    }
                }
            }
        }
        #expect(planted * 2 >= tried, "\(planted) of \(tried) were planted")
    }

    private static func copy(_ whole: String, to path: String) throws {
        for suffix in ["", "-wal", "-shm", "-reserve"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        try FileManager.default.copyItem(atPath: whole, toPath: path)
    }

    /// The rows that are kept of the past.
    private struct History {
        var rows: [[Int64: JobEvent.Kind]]

        func without(_ row: Int64) -> History {
            var history = self
            history.rows.remove(at: Int(row))
            return history
        }
    }

    private static func history(_ path: String) throws -> History {
        let store = try JobStore(path: path)
        defer { try? store.close() }
        let rows = try store.database.read {
            try Row.fetchAll($0, sql: "SELECT id, count FROM events ORDER BY id")
        }
        return History(
            rows: try rows.map { row in
                let (last, count): (Int64, Int64) = (row[0], row[1])
                let events = try store.keptEvents(after: last - count, limit: 1)
                #expect(events.count == Int(count))
                return Dictionary(uniqueKeysWithValues: events.map { ($0.id, $0.kind) })
            }
        )
    }

    /// Starts an engine over a damaged store, and has every other job go on to its end.
    private static func check(
        _ path: String,
        damaged: Int64?,
        history: History,
        _ what: String
    ) async throws {
        // Of a row that makes no sense, things may be told that can't have happened.
        let harness = try EngineHarness(configuration, path: path) { _ in }
        defer { try? harness.store.real.close() }
        let store = harness.store.real
        try harness.turn()
        let others: [Int64] = (1...12).filter { $0 != damaged }
        let expected: [Int64: JobState] = [1: .done, 2: .done, 3: .waiting, 4: .failed, 5: .paused]
        for job in others {
            let found = try #require(try harness.stored(job), "job \(job), \(what)")
            if let state = expected[job] {
                #expect(found.state == state, "job \(job), \(what)")
            } else {
                #expect([.queued, .downloading].contains(found.state), "job \(job), \(what)")
            }
            #expect(found.url.text == "http://example.org/\(job).jpg", "\(what)")
            #expect(try await store.job(JobID(rawValue: job)) != nil, "\(what)")
        }
        #expect(try harness.steer(.resume, 5).get().state != .paused || damaged == 5, "\(what)")
        // Whatever has a permit is fetched, until nothing is left.
        var isDone = false
        for _ in 0..<100 where !isDone {
            let under = Set(harness.outside.all.started.map(\.job.rawValue)).sorted()
            harness.outside.change { $0.started = [] }
            for job in under where job != damaged { try harness.download(job) }
            if let damaged, under.contains(damaged) { _ = try harness.steer(.cancel, damaged) }
            let looking = harness.outside.all.detecting
            harness.outside.change { $0.detecting = [] }
            isDone = under.isEmpty && looking.isEmpty
            for job in looking {
                try harness.turn(.detected(job, DetectionResult(outcome: .counted, engine: "haar")))
            }
        }
        #expect(isDone, "\(what)")
        try harness.untilWritten()
        for job in others where ![3, 4].contains(job) {
            let state = try harness.stored(job)?.state
            #expect(state == .done || state == .stored, "job \(job), \(what)")
        }
        // New work is taken in, and everything can be listed.
        let batch = try harness.submit(["http://example.org/new.jpg"]).get()
        #expect(try await store.batch(batch.batch.id)?.jobCount == 1, "\(what)")
        let page = try await store.jobs(JobFilter(), after: nil, limit: 100)
        #expect(Set(page.items.map(\.id.rawValue)).isSuperset(of: others), "\(what)")
        _ = try await store.jobs(JobFilter(text: "example"), after: nil, limit: 100)
        for item in page.items { _ = try await store.batch(item.batch) }
        // Who reads on from any number finds what has ended since, with numbers that go on growing.
        let query = EndingQuery(Set(JobEnding.allCases), endedAfter: 0, limit: 1000)
        let endings = try await store.endings(query).items
        #expect(endings.map(\.number) == endings.map(\.number).sorted(), "\(what)")
        for job in others where ![3, 5].contains(job) {
            let last = endings.last { $0.job.id.rawValue == job }
            // Damage may have closed the gate to detection, as anybody may.
            let isHeld = try harness.stored(job)?.state == .stored
            #expect(last?.ending == (job == 4 ? .failed : isHeld ? .stored : .done), "job \(job), \(what)")
        }
        let cursor = try #require(endings.last?.number, "\(what)")
        let more = try #require(batch.jobs.first)
        _ = try harness.steer(.cancel, more.rawValue)
        let next = try await store.endings(EndingQuery(endedAfter: cursor, limit: 10)).items
        #expect(next.map(\.job.id) == [more], "\(what)")
        _ = try await store.batches(after: nil, limit: 100)
        let events = try await store.events(after: 0, limit: 10_000, batch: nil)
        let kinds = Dictionary(events.map { ($0.id, $0.kind) }) { first, _ in first }
        for row in history.rows {
            for (id, kind) in row { #expect(kinds[id] == kind, "event \(id), \(what)") }
        }
        _ = try store.latestEvents(limit: 100)
        _ = try store.storedClock()
        _ = try await store.eventRange()
        _ = try await store.lastEvent(before: harness.now.wall)
        _ = try harness.submit(["http://example.org/1.jpg"], key: .init(key: "key 1", bodyDigest: "digest"))
        // The numbers are those that counting gives.
        let stored = harness.core.status.jobsByState.values.reduce(0, +)
        let counted = try await store.database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM jobs") ?? 0
        }
        #expect(stored == counted, "\(what)")
        try harness.restart()
        let state = try store.storedState()
        #expect(state.broken.isEmpty, "\(what)")
        #expect(state.jobsByState.values.reduce(0, +) == counted, "\(what)")
    }
}
