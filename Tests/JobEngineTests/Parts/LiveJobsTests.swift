import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of which jobs are in memory.
struct LiveJobsTests {
    private func ids(_ range: ClosedRange<Int64>) -> [JobID] { range.map { JobID(rawValue: $0) } }

    /// An engine's store with jobs, numbered from 1, of which the first has the only permit.
    private func stored(_ count: Int) throws -> EngineHarness {
        let harness = try EngineHarness(JobEngineConfiguration(transfers: .init(total: 1, perHost: 1)))
        _ = try harness.submit((1...count).map { "http://example.org/\($0).jpg" })
        try harness.untilWritten()
        return harness
    }

    @Test("A job comes from the store when it is asked for, and goes when it rests")
    func find() throws {
        let harness = try stored(3)
        var jobs = LiveJobs()
        #expect(try jobs.find(JobID(rawValue: 9), in: harness.store) == nil)
        let found = try #require(try jobs.find(JobID(rawValue: 2), in: harness.store))
        #expect(try jobs.find(JobID(rawValue: 2), in: harness.store) === found)
        jobs.letGo()
        #expect(jobs.count == 0)
    }

    @Test("A job that something is under way for stays, and so does one that nobody has touched yet")
    func letGo() throws {
        let harness = try stored(3)
        var jobs = LiveJobs()
        try jobs.fetch(ids(1...2), from: harness.store) { _ in nil }
        jobs.add(try LiveJob.sample(7).job)
        jobs.letGo()
        #expect(jobs.ids(in: .downloading) == ids(1...1))
        #expect(jobs.count == 2 && jobs[JobID(rawValue: 7)] != nil)
        jobs.touch(JobID(rawValue: 7))
        jobs.letGo()
        #expect(jobs.count == 1)
    }

    @Test("Jobs that are next are read together, and need no store when their turn comes")
    func readAhead() throws {
        let harness = try stored(20)
        var jobs = LiveJobs()
        try jobs.readAhead(of: ids(2...2), sharedBy: 1, from: harness.store) {
            (2...20).contains($0.rawValue)
        }
        let empty = try EngineHarness()
        try jobs.fetch(ids(2...20), from: empty.store) { _ in nil }
        #expect(jobs.count == 19)
    }

    @Test("A job that is only being accepted is taken from there; one that never was is forgotten")
    func accepted() throws {
        let harness = try stored(1)
        var jobs = LiveJobs()
        let new = try LiveJob.sample(50).job
        try jobs.fetch([new.id], from: harness.store) { $0 == new.id ? new : nil }
        #expect(jobs[new.id]?.job == new)
        jobs.forget(new.id...new.id)
        #expect(jobs.count == 0)
    }

    @Test("Jobs that were accepted need no store when their turn comes, except those that have changed since")
    func kept() throws {
        let store = try EngineHarness().store
        var jobs = LiveJobs()
        let new = try (Int64(50)...54).map { try LiveJob.sample($0).job }
        var paused = new
        for index in paused.indices { paused[index].state = .paused }
        // Changed before they were in the store, and after that.
        jobs.add(new[0])
        jobs.rest(try #require(RestingChange(from: new[1], to: paused[1])))
        jobs.keep(accepted: new)
        jobs.rest(try #require(RestingChange(from: new[2], to: paused[2])))
        jobs.forget(new[0].id)
        try jobs.fetch(new.map(\.id), from: store) { _ in nil }
        #expect(new.map { jobs[$0.id] != nil } == [false, false, false, true, true])
        #expect(jobs[new[3].id]?.job == new[3])
    }
}
