import Foundation
import GRDB
import JobCore
import TestSupport
import Testing

@testable import JobStore

struct JobStoreTests {
    private let directory: TemporaryDirectory
    private let accepted = Timestamp(microseconds: 1_795_243_503_611_000)

    init() throws { directory = try TemporaryDirectory() }

    private func open(historyLimit: Int = 1000) throws -> JobStore {
        try JobStore(path: directory.path("facefetch.sqlite"), historyLimit: historyLimit)
    }

    private func job(_ id: Int64, batch: Int64 = 1) throws -> Job {
        Job(
            id: JobID(rawValue: id),
            batch: BatchID(rawValue: batch),
            createdAt: accepted,
            url: try JobURL("https://example.org/\(id).jpg"),
            name: "\(id).jpg"
        )
    }

    private func batch(
        _ id: Int64 = 1,
        jobs: Int,
        isVisible: Bool = true,
        key: String? = nil
    ) -> StoreChanges.NewBatch {
        StoreChanges.NewBatch(
            id: BatchID(rawValue: id),
            createdAt: accepted,
            submittedBy: 1000,
            jobs: JobID(rawValue: 1)...JobID(rawValue: Int64(jobs)),
            isVisible: isVisible,
            idempotencyKey: key,
            bodyDigest: key.map { "digest of \($0)" }
        )
    }

    private func accept(_ jobs: [Job], into store: JobStore, isVisible: Bool = true) throws {
        var changes = StoreChanges()
        changes.newBatches = [batch(jobs: jobs.count, isVisible: isVisible)]
        changes.newJobs = jobs
        try store.commit(changes)
    }

    private func event(
        _ id: Int64,
        job: Int64 = 1,
        _ kind: JobEvent.Kind,
        after seconds: Double = 0
    ) -> JobEvent {
        JobEvent(
            id: id,
            time: accepted.adding(seconds: seconds),
            batchCreatedAt: accepted,
            batch: BatchID(rawValue: 1),
            job: JobID(rawValue: job),
            kind: kind
        )
    }

    @Test("What a failed transaction would have written is written by the next one")
    func changeAfterFailure() throws {
        let store = try open()
        var changed = try job(1)
        let other = try job(2)
        try accept([changed, other], into: store)
        changed.bytes = 7
        var impossible = other
        impossible.priority = 1000
        var changes = StoreChanges()
        // The first is written before the second is refused, and neither stays.
        changes.changedJobs = [changed, impossible]
        #expect(throws: StoreFailure.self) { try store.commit(changes) }
        changed.attempts = 3
        changes.changedJobs = [changed]
        try store.commit(changes)
        let stored = try #require(try store.jobs([changed.id]).first)
        #expect(stored.bytes == 7)
        #expect(stored.attempts == 3)
    }

    @Test("Everything about a job comes back as it was written")
    func roundTrip() async throws {
        let store = try open()
        var full = try job(1)
        full.state = .waiting
        full.hasGivenName = true
        full.priority = -7
        full.expectedSHA256 = String(repeating: "a", count: 64)
        full.bytes = 12
        full.totalBytes = 34
        full.validator = .entityTag("\"x;y\t\"")
        full.lengthUnproven = true
        full.loggedSteps = 3
        full.loggedBytes = 11
        full.durableBytes = 7
        full.partialBoot = "boot"
        full.toldOfFullDisk = true
        full.hasStarted = true
        full.hasFinished = true
        full.attempts = 4
        full.fruitlessTries = 2
        full.strugglingSince = accepted
        full.waiting = .init(reason: JobFailure(.timedOut, "slow"), until: accepted.adding(seconds: 9))
        full.reservation = .init(
            name: "ü.jpg",
            sealed: SealedPartial(inode: .max, length: 34, sha256: "ff")
        )
        full.detectionDeferred = true
        full.detectionDemand = DetectionDemand(engine: .yunet)
        full.segments = SegmentMap(text: "0-12,20-34")
        full.headers = try [
            RequestHeader(name: "Authorization", value: "Bearer a:b"),
            RequestHeader(name: "X-Accent", value: "\u{301}é"), RequestHeader(name: "X-Empty", value: ""),
        ]
        full.rateLimit = 1 << 40
        full.furthestBytes = 33
        var done = try job(2)
        done.state = .done
        done.path = "/d/2.jpg"
        done.sha256 = "ee"
        done.validator = .lastModified("Fri, 21 Nov 2025 06:45:03 GMT")
        done.detection = DetectionResult(
            outcome: .counted,
            faces: [Face(x: 1, y: -2, width: 3, height: 4, confidence: 0.5)],
            engine: "haar",
            parameters: "p",
            sharedFrom: JobID(rawValue: 1),
            seconds: 0.25
        )
        done.finishedAt = accepted.adding(seconds: 3)
        var failed = try job(3)
        failed.state = .failed
        failed.failure = JobFailure(.http(404), "not found")
        failed.finishedAt = accepted
        try accept([full, done, failed], into: store)
        #expect(try await store.job(full.id) == full)
        #expect(try await store.job(done.id) == done)
        #expect(try await store.job(failed.id) == failed)

        full.state = .queued
        full.waiting = nil
        full.reservation = nil
        full.validator = nil
        var changes = StoreChanges()
        changes.changedJobs = [full]
        try store.commit(changes)
        #expect(try await store.job(full.id) == full)
        #expect(try await store.job(JobID(rawValue: 99)) == nil)
    }

    @Test("What was written is there when the store is opened again, and says what is to be taken up")
    func reopen() throws {
        do {
            let store = try open()
            var stored = try job(2)
            stored.state = .stored
            stored.path = "/d"
            stored.sha256 = "aa"
            var cancelled = try job(3)
            cancelled.state = .cancelled
            try accept([try job(1), stored, cancelled], into: store)
            var changes = StoreChanges()
            changes.detectionGateOpen = false
            changes.events = [event(1, .started(url: "u")), event(2, .paused(name: "n"))]
            try store.commit(changes)
            try store.close()
        }
        let state = try open().storedState()
        #expect(state.queued.map(\.id.rawValue) == [1])
        #expect(state.queued.first?.host == "example.org:443")
        #expect(state.unfinished.map(\.id.rawValue) == [2])
        #expect(state.jobsByState == [.queued: 1, .stored: 1, .cancelled: 1])
        #expect([state.lastJob, state.lastBatch, state.lastEvent] == [3, 1, 2])
        #expect(state.detectionGateOpen == false)
    }

    @Test("A batch whose last slice never came is seen by nobody, and gone after the next start")
    func hiddenBatch() async throws {
        let store = try open()
        try accept([try job(1), try job(2)], into: store, isVisible: false)
        #expect(try await store.job(JobID(rawValue: 1)) == nil)
        #expect(try await store.jobs(JobFilter(), after: nil, limit: 10).items.isEmpty)
        #expect(try await store.batch(BatchID(rawValue: 1)) == nil)
        let state = try store.storedState()
        #expect(state.queued.isEmpty)
        #expect(state.jobsByState.isEmpty)
    }

    @Test("A batch is seen once its last slice is in")
    func revealedBatch() async throws {
        let store = try open()
        try accept([try job(1)], into: store, isVisible: false)
        var changes = StoreChanges()
        changes.newJobs = [try job(2)]
        changes.revealedBatches = [BatchID(rawValue: 1)]
        try store.commit(changes)
        #expect(try await store.batch(BatchID(rawValue: 1))?.jobsByState == [.queued: 2])
    }

    @Test("A list is paged by id, filtered, and counted whole")
    func pages() async throws {
        let store = try open()
        let jobs = try (1...25).map { number in
            var job = try job(Int64(number))
            if number % 5 == 0 { job.state = .paused }
            return job
        }
        try accept(jobs, into: store)
        let first = try await store.jobs(JobFilter(), after: nil, limit: 10)
        #expect(first.items.map(\.id.rawValue) == Array(1...10))
        #expect(first.total == 25 && first.hasMore)
        let last = try await store.jobs(JobFilter(), after: JobID(rawValue: 20), limit: 10)
        #expect(last.items.count == 5 && !last.hasMore)
        let paused = try await store.jobs(
            JobFilter(state: .paused, batch: BatchID(rawValue: 1)),
            after: nil,
            limit: 3
        )
        #expect(paused.items.map(\.id.rawValue) == [5, 10, 15])
        #expect(paused.total == 5 && paused.hasMore)
        let none = try await store.jobs(JobFilter(batch: BatchID(rawValue: 2)), after: nil, limit: 3)
        #expect(none.items.isEmpty && none.total == 0)
        #expect(try await store.batches(after: nil, limit: 1).items.map(\.jobCount) == [25])
    }

    @Test("The result of the same bytes is found, by the same engine and parameters only, by an index")
    func detectionOfBytes() throws {
        let store = try open()
        let haar = DetectorIdentity(engine: "haar", parameters: "p")
        var jobs = try (1...4).map { try job(Int64($0)) }
        for index in jobs.indices {
            jobs[index].state = .done
            jobs[index].path = "/d/\(index).jpg"
            jobs[index].sha256 = index == 3 ? "ff" : "ee"
            jobs[index].finishedAt = accepted
            jobs[index].detection = DetectionResult(
                outcome: index == 0 ? .timedOut : .counted,
                engine: "haar",
                parameters: "p",
                seconds: 1
            )
        }
        try accept(jobs, into: store)
        let known = try store.detection(ofBytes: "ee", by: haar)
        #expect(known?.job == JobID(rawValue: 2))
        #expect(known?.result == jobs[1].detection)
        #expect(try store.detection(ofBytes: "aa", by: haar) == nil)
        for other in [("yunet", "p"), ("haar", "q")] {
            let identity = DetectorIdentity(engine: other.0, parameters: other.1)
            #expect(try store.detection(ofBytes: "ee", by: identity) == nil)
        }
    }

    @Test("Every kind of event comes back as it was told, whatever is in its texts")
    func events() async throws {
        let store = try open()
        try accept([try job(1), try job(2)], into: store)
        let odd = "tab\there\\there\nnew line, \"quotes\" and ü"
        let kinds: [JobEvent.Kind] = [
            .started(url: odd), .progressed(name: odd, percent: 10), .received(name: odd, bytes: 5),
            .resumed(name: odd, offset: 1, total: 2), .resumed(name: odd, offset: 1, total: nil),
            .restarted(name: odd, reason: odd), .finished(url: odd, partialPath: odd),
            .stored(name: odd, path: odd),
            .waiting(name: odd, until: accepted, reason: JobFailure(.timedOut, odd)),
            .failed(url: odd, failure: JobFailure(.diskFull, odd)), .paused(name: odd), .continued(name: odd),
            .cancelled(name: odd), .detectionStarted(name: odd), .detectionFinished(name: odd, faceCount: 3),
            .detectionDeferred(name: odd), .detectionFailed(name: odd, outcome: .timedOut),
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

    @Test("An idempotency key finds the batch it came with")
    func idempotency() throws {
        let store = try open()
        var changes = StoreChanges()
        changes.newBatches = [batch(jobs: 2, key: "k")]
        changes.newJobs = [try job(1), try job(2)]
        try store.commit(changes)
        let found = try #require(try store.acceptedBatch(idempotencyKey: "k"))
        #expect(found.batch.id.rawValue == 1 && found.jobs.map(\.rawValue) == [1, 2])
        #expect(found.bodyDigest == "digest of k")
        #expect(try store.acceptedBatch(idempotencyKey: "other") == nil)
    }

    @Test("A commit that can't be written whole is not written at all")
    func atomic() async throws {
        let store = try open()
        var broken = try job(2)
        broken.state = .done
        var changes = StoreChanges()
        changes.newBatches = [batch(jobs: 2)]
        changes.newJobs = [try job(1), broken]
        #expect(throws: StoreFailure.self) { try store.commit(changes) }
        #expect(try await store.batch(BatchID(rawValue: 1)) == nil)
    }

    @Test("A full disk is told from a broken one")
    func full() throws {
        let store = try open()
        try accept([try job(1)], into: store)
        // SQLite's own limit stands for the disk's: it is the same error.
        try store.database.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        var changes = StoreChanges()
        changes.newJobs = try (2...5000).map { try job(Int64($0)) }
        #expect(throws: StoreFailure.outOfSpace) { try store.commit(changes) }
    }

    @Test("Every commit is synced: the writer runs with synchronous FULL over a write-ahead log")
    func synchronous() throws {
        let store = try open()
        let (level, mode) = try store.database.writeWithoutTransaction { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA synchronous"),
                try String.fetchOne(database, sql: "PRAGMA journal_mode")
            )
        }
        #expect(level == 2)
        #expect(mode == "wal")
    }

    @Test("A store of a newer version, and a file that is none, are refused and left alone")
    func refused() throws {
        do {
            let store = try open()
            try store.database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v999')") }
            try store.close()
        }
        #expect(throws: JobStoreError.newerSchema(path: directory.path("facefetch.sqlite"))) { try open() }
        let garbage = try directory.write(Array(repeating: 0x41, count: 8192), to: "garbage.sqlite")
        #expect { try JobStore(path: garbage) } throws: { error in
            if case .corrupt = error as? JobStoreError { true } else { false }
        }
        #expect { try JobStore(path: directory.path("none/facefetch.sqlite")) } throws: { error in
            if case .cannotOpen = error as? JobStoreError { true } else { false }
        }
    }
}
