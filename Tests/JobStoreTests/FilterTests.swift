import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Tests of which jobs a filter lets through, in lists and among endings alike.
struct FilterTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Twelve jobs that are done: of two sources and none, with 0 to 3 faces, and what is known of each.
    private func store() throws -> JobStore {
        let store = try open()
        var jobs = try (1...12).map { try job(Int64($0)) }
        for index in jobs.indices {
            jobs[index].state = .done
            jobs[index].path = "/d/\(index).jpg"
            jobs[index].sha256 = "ee"
            jobs[index].endings[.done] = Int64(100 - index)
            jobs[index].source = [nil, "mars", "moon"][index % 3]
            let faces = (0..<index % 4).map { Face(x: $0, y: 1, width: 2, height: 3, confidence: 0.5) }
            jobs[index].detection = DetectionResult(
                outcome: index == 11 ? .unreadable : .counted,
                faces: faces,
                engine: "haar"
            )
            let camera = index % 2 == 0 ? "FHAZ" : "a\\\"é"
            let json = "{\"camera\":\"\(camera)\",\"sol\":\(index).0,\"deep\":{\"sol\":\"x\"}}"
            if index > 1 { jobs[index].meta = try JobMeta(json: json.utf8) }
        }
        try accept(jobs, into: store)
        return store
    }

    private func ids(_ store: JobStore, _ change: (inout JobFilter) -> Void) async throws -> [Int64] {
        var filter = JobFilter()
        change(&filter)
        let page = try await store.jobs(filter, after: nil, limit: 100)
        let ids = page.items.map(\.id.rawValue)
        #expect(page.total == (filter.text == nil ? ids.count : nil))
        let newest = try await store.jobs(filter, order: .newest, after: nil, limit: 100)
        #expect(newest.items.map(\.id.rawValue) == ids.reversed())
        let endings = try await store.endings(EndingQuery(endedAfter: 0, filter: filter, limit: 100))
        #expect(endings.items.map(\.job.id.rawValue) == ids.reversed(), "the last ended first")
        #expect(endings.total == ids.count)
        return ids
    }

    @Test("By source")
    func source() async throws {
        let store = try store()
        #expect(try await ids(store) { $0.source = "mars" } == [2, 5, 8, 11])
        #expect(try await ids(store) { $0.source = "venus" }.isEmpty)
        #expect(try await ids(store) { ($0.source, $0.minFaces) = ("mars", 3) } == [8])
    }

    @Test("By how many faces were counted")
    func faces() async throws {
        let store = try store()
        #expect(try await ids(store) { $0.minFaces = 2 } == [3, 4, 7, 8, 11])
        #expect(try await ids(store) { $0.minFaces = 4 }.isEmpty)
        #expect(try await ids(store) { $0.minFaces = 0 } == Array(1...11), "where they were counted")
    }

    @Test("By how looking for faces has ended")
    func outcome() async throws {
        let store = try store()
        #expect(try await ids(store) { $0.outcome = .unreadable } == [12])
        #expect(try await ids(store) { ($0.outcome, $0.source) = (.counted, "mars") } == [2, 5, 8, 11])
        #expect(try await ids(store) { ($0.outcome, $0.minFaces) = (.unreadable, 0) }.isEmpty)
        #expect(try await ids(store) { $0.outcome = .skipped }.isEmpty)
    }

    @Test("What can be done something to is told apart from what matches, and both are all there is")
    func matches() async throws {
        let store = try store()
        var more = try (13...16).map { try job(Int64($0), batch: 2) }
        (more[0].state, more[0].failure) = (.failed, JobFailure(.timedOut, "it took too long"))
        more[1].state = .paused
        var changes = StoreChanges()
        changes.newBatches = [
            StoreChanges.NewBatch(
                id: BatchID(rawValue: 2),
                createdAt: accepted,
                submittedBy: 1000,
                jobs: JobID(rawValue: 13)...JobID(rawValue: 16),
                isVisible: true,
                idempotencyKey: nil,
                bodyDigest: nil
            )
        ]
        changes.newJobs = more
        try store.commit(changes)
        func matches(_ states: [JobState], _ change: (inout JobFilter) -> Void) async throws -> JobMatches {
            var filter = JobFilter()
            change(&filter)
            return try await store.matches(filter, in: states)
        }
        func answer(_ ids: [Int64], _ count: Int) -> JobMatches {
            JobMatches(jobs: ids.map(JobID.init(rawValue:)), count: count)
        }
        let all = JobState.allCases
        #expect(
            try await matches([.failed, .waiting]) { $0.batch = BatchID(rawValue: 2) } == answer([13], 4)
        )
        #expect(try await matches(all) { $0.batch = BatchID(rawValue: 2) } == answer([13, 14, 15, 16], 4))
        #expect(try await matches(all) { $0.batch = BatchID(rawValue: 9) } == answer([], 0))
        #expect(try await matches([.queued]) { $0.source = "mars" } == answer([], 4))
        #expect(try await matches([.done]) { $0.minFaces = 3 } == answer([4, 8], 2))
        #expect(try await matches([.paused]) { $0.state = .paused } == answer([14], 1))
        #expect(try await matches(all) { $0.text = "nowhere" } == answer([], 0))
    }

    @Test("By what is known of them: the text of a string, or another value as it was written")
    func meta() async throws {
        let store = try store()
        func found(_ members: (String, String)...) async throws -> [Int64] {
            try await ids(store) { filter in
                filter.meta = members.map { JobFilter.MetaMember(key: $0.0, value: $0.1) }
            }
        }
        #expect(try await found(("camera", "FHAZ")) == [3, 5, 7, 9, 11])
        #expect(try await found(("camera", "a\"é")) == [4, 6, 8, 10, 12])
        #expect(try await found(("sol", "4.0")) == [5])
        #expect(try await found(("sol", "4")).isEmpty)
        #expect(try await found(("sol", "x")).isEmpty, "only members of the object itself")
        #expect(try await found(("deep", #"{"sol":"x"}"#)).count == 10)
        #expect(try await found(("camera", "FHAZ"), ("sol", "2.0")) == [3])
        #expect(try await found(("camera", "FHAZ"), ("camera", "other")).isEmpty)
        #expect(try await found(("camera", "FHA")).isEmpty)
        #expect(try await found(("", "")).isEmpty)
    }

    @Test("By name, and together with all else; damaged values are no reason to fail")
    func named() async throws {
        let store = try store()
        #expect(try await ids(store) { $0.ids = Set([3, 1, 99].map(JobID.init(rawValue:))) } == [1, 3])
        #expect(try await ids(store) { $0.ids = [] }.isEmpty)
        #expect(try await ids(store) { ($0.text, $0.source) = ("1.jpg", "mars") } == [11])
        try await store.database.write {
            try $0.execute(
                sql: "UPDATE jobs SET meta = '{\"camera\":\"FHAZ\"', detection_faces = 'x' WHERE id = 3"
            )
        }
        var filter = JobFilter()
        filter.meta = [.init(key: "camera", value: "FHAZ")]
        #expect(
            try await store.jobs(filter, after: nil, limit: 10).items.map(\.id.rawValue) == [5, 7, 9, 11]
        )
        #expect(try await store.job(JobID(rawValue: 3))?.meta == nil)
    }

    @Test("A list from the newest goes on before the last page's end")
    func newestPages() async throws {
        let store = try store()
        let first = try await store.jobs(JobFilter(), order: .newest, after: nil, limit: 5)
        #expect(first.items.map(\.id.rawValue) == [12, 11, 10, 9, 8] && first.hasMore && first.total == 12)
        let last = try await store.jobs(JobFilter(), order: .newest, after: JobID(rawValue: 4), limit: 5)
        #expect(last.items.map(\.id.rawValue) == [3, 2, 1] && !last.hasMore)
        for after in [0, Int64.max] {
            let page = try await store.jobs(
                JobFilter(),
                order: .newest,
                after: JobID(rawValue: after),
                limit: 5
            )
            #expect(page.items.count == (after == 0 ? 0 : 5))
        }
    }

    @Test("Where no index helps, those who look on while others search don't wait for them")
    func readers() {
        var filter = JobFilter()
        #expect(!filter.isWide)
        filter.source = "mars"
        #expect(!filter.isWide && !filter.isCounted)
        filter.minFaces = 1
        #expect(filter.isWide)
        filter.ids = [JobID(rawValue: 1)]
        #expect(!filter.isWide)
    }
}
