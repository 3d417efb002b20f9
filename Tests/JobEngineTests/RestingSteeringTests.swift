import EngineSupport
import GRDB
import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Steering all jobs, most of them resting, has the same outcome as steering each whole.
struct RestingSteeringTests {
    /// An engine over jobs of which some are queued, some stored, some under way, and some paused.
    private func harness(knowsResting: Bool) throws -> EngineHarness {
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: .init(total: 3, perHost: 2), detections: 1, sliceSize: 7)
        )
        harness.store.knowsResting.withLock { $0 = knowsResting }
        try harness.turn(.setGate(open: false, reply: { _ in }))
        for batch in 0..<3 {
            _ = try harness.submit((1...20).map { "http://example\(batch).org/\(batch * 20 + $0).jpg" })
        }
        for _ in 0..<3 {
            let started = harness.outside.all.started.map(\.job.rawValue)
            harness.outside.change { $0.started = [] }
            for job in started { try harness.download(job) }
        }
        try harness.untilWritten()
        for job: Int64 in [19, 20, 33] { _ = try harness.steer(.pause, job) }
        return harness
    }

    private func steerAll(_ action: SteeringAction, _ harness: EngineHarness) throws -> Int {
        let answer = Answer<Int>()
        try harness.turn(.steerAll(action, reply: answer.give))
        for _ in 0..<100 where answer.value == nil {
            for job in harness.outside.all.stopped { try harness.report(job.rawValue, .ended(.stopped)) }
            harness.outside.change { $0.stopped = [] }
            try harness.turn()
        }
        return try #require(answer.value).get()
    }

    private struct Outcome: Equatable {
        var changed: [Int] = []
        var jobs: [Job] = []
        var events: [JobID: [JobEvent.Kind]] = [:]
        var started: [JobID] = []
        var detecting: [JobID] = []
        var discarded: Set<JobID> = []
        var counts: [JobState: Int] = [:]
    }

    private func outcome(_ actions: [SteeringAction], knowsResting: Bool) throws -> Outcome {
        let harness = try harness(knowsResting: knowsResting)
        var outcome = Outcome()
        for action in actions { outcome.changed.append(try steerAll(action, harness)) }
        try harness.turn(.setGate(open: true, reply: { _ in }))
        try harness.untilWritten()
        outcome.jobs = try harness.store.real.jobs((1...60).map { JobID(rawValue: $0) }).map { job in
            // When and in which order they ended is no matter of theirs.
            var job = job
            if job.finishedAt != nil { job.finishedAt = job.createdAt }
            if job.endings[.cancelled] != nil { job.endings[.cancelled] = 1 }
            return job
        }
        let notes = harness.outside.all
        outcome.events = Dictionary(grouping: notes.events, by: \.job).mapValues { $0.map(\.kind) }
        outcome.started = notes.started.map(\.job)
        outcome.detecting = notes.detecting
        outcome.discarded = Set(notes.discarded)
        outcome.counts = harness.core.status.jobsByState
        try harness.restart()
        let counts = harness.core.status.jobsByState
        for state in [JobState.paused, .cancelled] { #expect(counts[state] == outcome.counts[state]) }
        return outcome
    }

    @Test(
        "Whatever is asked for, the outcome is the same as with each job read whole",
        arguments: [
            [SteeringAction.pause], [.cancel], [.pause, .resume], [.pause, .cancel], [.resume],
            [.pause, .resume, .cancel], [.pause, .pause, .resume, .resume],
        ]
    )
    func same(actions: [SteeringAction]) throws {
        let (resting, whole) = (
            try outcome(actions, knowsResting: true), try outcome(actions, knowsResting: false)
        )
        #expect(resting.changed == whole.changed)
        #expect(resting.jobs == whole.jobs)
        #expect(resting.events == whole.events)
        #expect(resting.started == whole.started && resting.detecting == whole.detecting)
        #expect(resting.discarded == whole.discarded && resting.counts == whole.counts)
    }

    @Test("Resting jobs are not read whole")
    func words() throws {
        let harness = try harness(knowsResting: true)
        harness.store.read.withLock { $0 = [] }
        _ = try steerAll(.pause, harness)
        // Some are granted permits before their turn comes.
        let read = harness.store.read.withLock { $0.flatMap(\.self) }
        #expect(read.count < 20, "\(read)")
    }

    @Test("A job that is loaded before its change can be written has the change already")
    func unwritten() throws {
        let harness = try harness(knowsResting: true)
        harness.store.fail(with: .outOfSpace)
        let all = Answer<Int>()
        try harness.turn(.steerAll(.pause, reply: all.give))
        #expect(try harness.stored(7)?.state == .queued, "nothing is written")
        #expect(try harness.core.bench.live(JobID(rawValue: 7))?.job.state == .paused)
        harness.store.fail(with: nil)
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        for _ in 0..<20 { try harness.turn() }
        #expect(try harness.stored(7)?.state == .paused)
        #expect(try harness.steer(.resume, 7).get().state != .paused)
        #expect(try harness.stored(7)?.state != .paused)
        #expect(harness.outside.lines.filter { $0.hasPrefix("j7 paused") }.count == 1)
    }

    @Test(
        "Of a batch that finds the disk full, nothing has been steered: half way in, or as its last jobs came in",
        arguments: [60, 40]
    )
    func withdrawn(count: Int) throws {
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: .init(total: 1, perHost: 1), detections: 1, sliceSize: 10)
        )
        _ = try harness.submit((1...10).map { "http://first.org/\($0).jpg" })
        let items = try (1...count).map { NewJob(url: try JobURL("http://other.org/\($0).jpg")) }
        let (posted, paused) = (Answer<AcceptedBatch>(), Answer<Int>())
        try harness.turn(.submit(Submission(items: items, submittedBy: nil), reply: posted.give))
        try harness.turn()
        // The sweep is at the first jobs of the batch, or has read them ahead.
        if count == 40 { try harness.turn(.steerAll(.pause, reply: paused.give)) }
        harness.store.fail(with: .outOfSpace)
        harness.store.isHelpedByReserve.withLock { $0 = true }
        harness.store.fills.withLock { $0 = [.noRoom] }
        // What is being read ahead has been read before the batch goes: one reading waits for the other.
        let store = harness.store.real
        harness.store.heard.withLock { $0 = { _ in _ = try? store.jobIDs(in: [.queued]) } }
        if count == 60 { try harness.turn(.steerAll(.pause, reply: paused.give)) } else { try harness.turn() }
        for _ in 0..<5 {
            for job in harness.outside.all.stopped { try harness.report(job.rawValue, .ended(.stopped)) }
            harness.outside.change { $0.stopped = [] }
            try harness.turn()
        }
        #expect(posted.value == .failure(.outOfSpace))
        #expect(harness.core.status.jobsByState == [.paused: 10])
        #expect(harness.outside.all.events.allSatisfy { $0.job.rawValue <= 10 })
        let counts = try DatabaseQueue(path: harness.directory.path("facefetch.sqlite")).read { database in
            try Int.fetchOne(database, sql: "SELECT total(number) FROM job_counts WHERE batch = 0")
        }
        #expect(counts == 10)
    }
}
