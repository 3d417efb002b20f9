import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

struct JobStoreTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

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
        full.toldOf = [.disk, .place]
        full.hasStarted = true
        full.hasFinished = true
        full.attempts = 4
        full.fruitlessTries = 2
        full.struggled = 12.5
        full.waiting = .init(reason: JobFailure(.timedOut, "slow"), until: accepted.adding(seconds: 9))
        full.options.folder = try DocumentFolder("asked/for")
        full.publishedFolder = try DocumentFolder("a/ü")
        full.reservation = .init(
            name: "ü.jpg",
            folder: try DocumentFolder("a/b"),
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
        full.meta = try JobMeta(json: #"{"b":1,"a":{"é":"\u0000"}}"#.utf8)
        full.source = "mars"
        full.itemKey = "sol/1 ü"
        full.endings[.failed] = 7
        full.isEvictable = true
        full.isPinned = true
        full.weight = 1000
        full.isHeld = true
        full.servedAt = SteadyTime(microseconds: 12)
        full.response = ServerResponse(
            finalURL: "https://cdn.example.org/ü?a=b",
            status: 203,
            contentType: "image/jpeg; a=\"b\"",
            lastModified: Timestamp(microseconds: 1_700_000_000_000_000),
            entityTag: "W/\"x\"",
            receivedAt: accepted.wall
        )
        var done = try job(2)
        done.state = .done
        done.path = "/d/2.jpg"
        done.sha256 = "ee"
        done.validator = .lastModified("Fri, 21 Nov 2025 06:45:03 GMT")
        done.detection = DetectionResult(
            outcome: .counted,
            faces: [
                Face(x: 1, y: -2, width: 3, height: 4, confidence: 0.5),
                Face(
                    x: 5,
                    y: 6,
                    width: 7,
                    height: 8,
                    confidence: 0.25,
                    landmarks: (0..<5).map { .init(x: $0, y: 4000 - $0) }
                ),
            ],
            picture: SeenPicture(width: 4000, height: 3000, orientation: 6, format: "jpeg"),
            looks: [640, 1280],
            engine: "haar",
            parameters: "p",
            sharedFrom: JobID(rawValue: 1),
            seconds: 0.25
        )
        done.detection?.picture?.isDamaged = true
        done.detection?.picture?.fingerprint = Fingerprint(bits: .max)
        done.detection?.picture?.turned = 270
        done.finishedAt = accepted.adding(seconds: 3)
        done.response = ServerResponse(finalURL: nil, status: 200, receivedAt: accepted.wall)
        done.endings[.stored] = 1
        done.endings[.done] = 2
        done.endings[.cancelled] = 1 << 50
        var evicted = try job(4)
        evicted.state = .done
        evicted.sha256 = "ee"
        evicted.isEvictable = true
        evicted.documentMark = FileMark(inode: 1, length: 2, modified: 3, changed: 4)
        evicted.detection = DetectionResult(
            outcome: .unreadable,
            reason: "is empty",
            engine: "haar",
            parameters: "p",
            seconds: 0.5
        )
        evicted.finishedAt = done.finishedAt
        evicted.evictedAt = accepted.wall
        var leaving = try job(5)
        (leaving.state, leaving.path, leaving.sha256) = (.done, "/d/5.jpg", "ff")
        (leaving.documentMark, leaving.evictedAt) = (evicted.documentMark, accepted.wall)
        leaving.isEvictable = true
        var failed = try job(3)
        failed.state = .failed
        failed.failure = JobFailure(.http(404), "not found")
        failed.finishedAt = accepted
        try accept([full, done, failed, evicted, leaving], into: store)
        #expect(try await store.job(full.id) == full)
        #expect(try await store.job(done.id) == done)
        for job in [failed, evicted, leaving] { #expect(try await store.job(job.id) == job) }
        #expect(store.wasEvicted(evicted.id) && store.wasEvicted(leaving.id))
        #expect(!store.wasEvicted(done.id) && !store.wasEvicted(JobID(rawValue: 99)))
        let stored = try store.storedState()
        #expect(stored.unfinished.map(\.id) == [full.id, leaving.id])
        #expect(stored.evictables.map(\.job) == [leaving.id] && stored.evictables.first?.standing == .leaves)

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
        let store = try open()
        let state = try store.storedState()
        let waiting = try store.waiting()
        #expect(waiting.transfers == [1] && waiting.documents == [2] && waiting.untold == [2])
        #expect(state.unfinished.isEmpty)
        #expect(state.jobsByState == [.queued: 1, .stored: 1, .cancelled: 1])
        #expect([state.lastJob, state.lastBatch, state.lastEvent] == [3, 1, 2])
        #expect(state.detectionGateOpen == false)
    }

    @Test("Partials are needed by jobs that have begun and not ended, and perhaps by jobs in unknown states")
    func partials() throws {
        let store = try open()
        var jobs = try (1...7).map { try job($0) }
        (jobs[1].state, jobs[1].attempts) = (.paused, 1)
        (jobs[2].state, jobs[2].attempts) = (.cancelled, 1)
        (jobs[4].state, jobs[4].attempts) = (.queued, 1)
        jobs[5].state = .paused
        try accept(jobs, into: store)
        try store.database.write { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = 1")
            try database.execute(sql: "UPDATE jobs SET state = 'dreaming' WHERE id = 4")
        }
        let asked = ([2, 3, 4, 5, 6, 7, 9] as [Int64]).map(JobID.init(rawValue:))
        #expect(try store.jobsNeedingPartials(among: asked).map(\.rawValue) == [2, 4, 5])
        #expect(try store.jobsNeedingPartials(among: []).isEmpty)
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
            try store.database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9.0.0')") }
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
