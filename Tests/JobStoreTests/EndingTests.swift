import GRDB
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Tests of what those who follow are given: everything that ended, once, in the order of the numbers.
struct EndingTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func ended(_ id: Int64, _ state: JobState, _ endings: [JobEnding: Int64]) throws -> Job {
        var job = try job(id)
        job.state = state
        if endings[.stored] != nil {
            job.path = "/d/\(id).jpg"
            job.sha256 = "ee"
        }
        if state == .failed { job.failure = JobFailure(.timedOut, "slow") }
        for (ending, number) in endings { job.endings[ending] = number }
        return job
    }

    private func list(
        _ store: JobStore,
        _ endings: Set<JobEnding> = JobEnding.final,
        after: Int64 = 0,
        limit: Int = 100,
        filter: JobFilter = JobFilter()
    ) async throws -> [String] {
        let query = EndingQuery(endings, endedAfter: after, filter: filter, limit: limit)
        return try await store.endings(query).items.map { "\($0.number) \($0.ending) j\($0.job.id.rawValue)" }
    }

    private func store() throws -> JobStore {
        let store = try open()
        try accept(
            [
                try ended(1, .done, [.stored: 1, .done: 4]),
                try ended(2, .queued, [.failed: 2]),
                try ended(3, .done, [.failed: 3, .stored: 5, .done: 7]),
                try ended(4, .cancelled, [.cancelled: 6]),
                try ended(5, .stored, [.stored: 8]),
                try job(6),
            ],
            into: store
        )
        return store
    }

    @Test("Pieces are what a page has, in one transaction", arguments: [1, 99, 100, 101, 250])
    func pieces(count: Int) async throws {
        let store = try open()
        try accept(
            try (1...Int64(count)).map { try ended($0, .done, [.stored: 2 * $0 - 1, .done: 2 * $0]) },
            into: store
        )
        let query = EndingQuery(endedAfter: 0, limit: 249)
        let pieces = Mutex<[[EndedJob]]>([])
        let rest = try await store.endings(query) { piece in pieces.withLock { $0.append(piece) } }
        var page = try await store.endings(query)
        let found = pieces.withLock { $0 }
        #expect(found.flatMap { $0.map(\.number) } == page.items.map(\.number))
        #expect(found.dropLast().allSatisfy { $0.count == 100 } && found.last?.isEmpty == false)
        page.items = []
        #expect(rest.hasMore == (count > 249) && rest.hasMore == page.hasMore)
        #expect(rest.total == count && page.total == count && rest.newest == page.newest)
    }

    @Test("What a job has come to is read without what only the engine needs")
    func shown() async throws {
        let store = try open()
        var job = try ended(1, .done, [.stored: 1, .done: 2])
        job.priority = 3
        job.expectedSHA256 = "ee"
        (job.bytes, job.totalBytes, job.attempts) = (12, 12, 4)
        job.meta = try JobMeta(json: #"{"a":1}"#.utf8)
        (job.source, job.itemKey, job.rateLimit) = ("mars", "sol", 7)
        job.isPinned = true
        job.documentMark = FileMark(inode: 1, length: 2, modified: 3, changed: 4)
        job.detection = DetectionResult(
            outcome: .counted,
            faces: [Face(x: 1, y: 2, width: 3, height: 4, confidence: 0.5)],
            picture: SeenPicture(width: 40, height: 30, orientation: 6, format: "jpeg"),
            looks: [640],
            engine: "haar",
            parameters: "p",
            sharedFrom: JobID(rawValue: 1),
            seconds: 0.25
        )
        job.finishedAt = accepted.adding(seconds: 3)
        let shown = job
        job.validator = .entityTag("\"x\"")
        job.hasGivenName = true
        job.headers = [try RequestHeader(name: "Authorization", value: "Bearer a:b")]
        job.isEvictable = true
        job.servedAt = SteadyTime(microseconds: 12)
        (job.loggedSteps, job.loggedBytes, job.durableBytes, job.furthestBytes) = (10, 11, 12, 12)
        (job.hasStarted, job.hasFinished, job.fruitlessTries, job.struggled) = (true, true, 2, 1.5)
        try accept([job], into: store)
        #expect(try await store.job(job.id) == job)
        #expect(try await store.endings(EndingQuery(endedAfter: 0, limit: 10)).items.map(\.job) == [shown])
    }

    @Test("Each ending asked for comes in the order of the numbers, with the job as it is now")
    func order() async throws {
        let store = try store()
        #expect(
            try await list(store) == [
                "2 failed j2", "3 failed j3", "4 done j1", "6 cancelled j4", "7 done j3",
            ]
        )
        #expect(
            try await list(store, Set(JobEnding.allCases)) == [
                "1 stored j1", "2 failed j2", "3 failed j3", "4 done j1", "5 stored j3", "6 cancelled j4",
                "7 done j3", "8 stored j5",
            ]
        )
        #expect(try await list(store, [.done], after: 4) == ["7 done j3"])
        #expect(try await list(store, after: 7).isEmpty)
        let job = try #require(try await store.job(JobID(rawValue: 2)))
        #expect(job.ended == nil && job.ending == nil, "it is under way again")
        #expect(try await store.job(JobID(rawValue: 3))?.ended == 7)
        #expect(try await store.job(JobID(rawValue: 5))?.ended == nil)
    }

    @Test("Pages follow each other without a gap, and say how much there is", arguments: 1...6)
    func pages(limit: Int) async throws {
        let store = try store()
        let whole = try await list(store, Set(JobEnding.allCases))
        var read: [String] = []
        var after: Int64?
        repeat {
            let query = EndingQuery(Set(JobEnding.allCases), endedAfter: 0, after: after, limit: limit)
            let page = try await store.endings(query)
            read += page.items.map { "\($0.number) \($0.ending) j\($0.job.id.rawValue)" }
            #expect(page.total == 8 && page.oldest == 0 && page.newest == 8)
            after = page.hasMore ? page.items.last?.number : nil
        } while after != nil
        #expect(read == whole)
    }

    @Test("A filter narrows them")
    func filters() async throws {
        let store = try store()
        #expect(
            try await list(store, filter: JobFilter(state: .done)) == [
                "3 failed j3", "4 done j1", "7 done j3",
            ]
        )
        #expect(try await list(store, filter: JobFilter(text: "4.jpg")) == ["6 cancelled j4"])
        #expect(try await list(store, filter: JobFilter(batch: BatchID(rawValue: 1))).count == 5)
        #expect(try await list(store, filter: JobFilter(batch: BatchID(rawValue: 2))).isEmpty)
        let query = EndingQuery(endedAfter: 0, filter: JobFilter(state: .done), limit: 1)
        let page = try await store.endings(query)
        #expect(page.total == 3 && page.hasMore)
    }

    @Test("The newest come first where that is asked for, page by page")
    func newest() async throws {
        let store = try store()
        var read: [Int64] = []
        var after: Int64?
        repeat {
            let query = EndingQuery(endedAfter: 2, order: .newest, after: after, limit: 2)
            let page = try await store.endings(query)
            #expect(page.total == 4)
            read += page.items.map(\.number)
            after = page.hasMore ? page.items.last?.number : nil
        } while after != nil
        #expect(read == [7, 6, 4, 3])
        for number in [Int64.max, 9] {
            #expect(try await list(store, after: number).isEmpty)
            let query = EndingQuery(endedAfter: 0, order: .newest, after: number, limit: 1)
            #expect(try await store.endings(query).items.map(\.number) == [7])
        }
    }

    @Test("The indexes give them in order: nothing is sorted, and nothing else looked at")
    func plan() async throws {
        let store = try store()
        let query = EndingQuery(Set(JobEnding.allCases), endedAfter: 3, limit: 10)
        let plan = try await store.database.read { try JobStore.plan(of: query, $0) }
        #expect(
            plan.filter { $0.contains("USING COVERING INDEX jobs_by_") }.count
                + plan.filter { $0.contains("USING INDEX jobs_by_") }.count == 4,
            "\(plan)"
        )
        #expect(!plan.contains { $0.contains("USE TEMP B-TREE") || $0.hasPrefix("SCAN jobs") }, "\(plan)")
    }

    @Test("Jobs of a batch that can't be seen yet are left out")
    func hidden() async throws {
        let store = try open()
        try accept([try ended(1, .cancelled, [.cancelled: 1])], into: store, isVisible: false)
        #expect(try await list(store).isEmpty)
    }

    @Test("The last number is known after the rows that had it have gone, and goes on behind it")
    func counter() async throws {
        do {
            let store = try store()
            try await store.database.write { try $0.execute(sql: "DELETE FROM jobs WHERE id IN (3, 5)") }
            try store.close()
        }
        let store = try open()
        #expect(try store.storedState().lastEnding == 8)
    }

    @Test(
        "Where the last number can't be told, numbers go on far behind those that are there, and a gap is told",
        arguments: [
            "DELETE FROM numbers", "UPDATE numbers SET ending = 3", "UPDATE numbers SET mark = 0",
            "UPDATE numbers SET ending = 9223372036854775807",
        ]
    )
    func damagedCounter(damage: String) async throws {
        let store = try store()
        try await store.database.write { try $0.execute(sql: damage) }
        #expect(try store.storedState().lastEnding == 8 + StoredNumbers.leap)
        #expect(try store.storedState().lastEnding == 8 + StoredNumbers.leap, "once")
        var job = try ended(6, .cancelled, [.cancelled: 9 + StoredNumbers.leap])
        job.attempts = 1
        var changes = StoreChanges()
        changes.changedJobs = [job]
        changes.lastEnding = job.endings.latest
        try store.commit(changes)
        #expect(try await list(store, after: 7) == ["\(9 + StoredNumbers.leap) cancelled j6"])
    }

    @Test(
        "Where it is damaged while the daemon runs, the numbers that readers see don't leap ahead of it",
        arguments: [[], [1]] as [[Int64]]
    )
    func damagedMeanwhile(forgotten: [Int64]) async throws {
        let store = try store()
        try await store.database.write { try $0.execute(sql: "UPDATE numbers SET mark = 0") }
        var changes = StoreChanges()
        changes.changedJobs = [try ended(6, .cancelled, [.cancelled: 9])]
        changes.forgottenJobs = forgotten.map(JobID.init(rawValue:))
        changes.lastEnding = 9
        try store.commit(changes)
        let page = try await store.endings(EndingQuery(endedAfter: 7, limit: 10))
        #expect(page.newest == 9 && page.oldest <= 4 && page.items.map(\.number) == [9])
    }

    @Test("A number that no counting gave is nobody's, and keeps no other from being read")
    func damagedNumber() async throws {
        let store = try store()
        for number in ["9223372036854775807", "-5", "1000"] {
            try await store.database.write {
                try $0.execute(sql: "UPDATE jobs SET ended_done = \(number) WHERE id = 1")
            }
            #expect(try await list(store, [.done]) == ["7 done j3"], "\(number)")
        }
    }
}
