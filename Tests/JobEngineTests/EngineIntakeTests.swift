import JobModel
import JobStore
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of how batches are accepted.
struct EngineIntakeTests {
    private func urls(_ count: Int, host: String = "example.org") -> [String] {
        (1...count).map { "http://\(host)/\($0).jpg" }
    }

    @Test("A big batch goes in by slices, and others are answered in between")
    func slices() throws {
        let harness = try EngineHarness(JobEngineConfiguration(sliceSize: 10))
        let answer = Answer<AcceptedBatch>()
        let items = try urls(95).map { NewJob(url: try JobURL($0)) }
        try harness.turn(.submit(Submission(items: items, submittedBy: nil), reply: answer.give))
        #expect(answer.value == nil)
        #expect(harness.core.status.jobsByState == [:], "nobody sees it yet")
        #expect(harness.outside.all.started.isEmpty)
        let gate = Answer<Void>()
        try harness.turn(.setGate(open: false, reply: gate.give))
        #expect(gate.value != nil)
        #expect(try harness.steer(.pause, 1) == .failure(.noSuchJob(JobID(rawValue: 1))))
        while answer.value == nil { try harness.turn() }
        #expect(try answer.value?.get().jobs.count == 95)
        #expect(harness.outside.all.started.count == 6)
    }

    @Test("A batch that was cut off in mid-acceptance never was")
    func cutOffIntake() throws {
        let harness = try EngineHarness(JobEngineConfiguration(sliceSize: 10))
        let items = try urls(30).map { NewJob(url: try JobURL($0)) }
        try harness.turn(.submit(Submission(items: items, submittedBy: nil), reply: Answer().give))
        try harness.restart()
        #expect(harness.core.status.jobsByState == [:])
        #expect(try harness.submit(urls(1)).get().jobs.map(\.rawValue) == [1])
    }

    @Test(
        "A repeated post under one key is answered as the first, also after a restart; another body is refused"
    )
    func idempotency() throws {
        let harness = try EngineHarness()
        let key = Submission.Idempotency(key: "k", bodyDigest: "d")
        let first = try harness.submit(urls(3), key: key).get()
        #expect(try harness.submit(urls(3), key: key).get() == first)
        try harness.restart()
        #expect(try harness.submit(urls(3), key: key).get() == first)
        let other = Submission.Idempotency(key: "k", bodyDigest: "other")
        #expect(try harness.submit(urls(3), key: other) == .failure(.idempotencyKeyReused))
        #expect(harness.core.status.jobsByState.values.reduce(0, +) == 3)
    }

    @Test("The key of one user is nobody else's: they don't get each other's answers")
    func keysOfUsers() throws {
        let harness = try EngineHarness()
        let key = Submission.Idempotency(key: "k", bodyDigest: "d")
        let other = Submission.Idempotency(key: "k", bodyDigest: "other")
        let first = try harness.submit(urls(3), key: key, by: 1000).get()
        let second = try harness.submit(urls(2), key: other, by: 1001).get()
        let third = try harness.submit(urls(3), key: key, by: nil).get()
        #expect(Set([first, second, third].map(\.batch.id)).count == 3)
        #expect(try harness.submit(urls(3), key: key, by: 1000).get() == first)
        #expect(try harness.submit(urls(3), key: key, by: 1001) == .failure(.idempotencyKeyReused))
    }

    /// Posts batches of 400 and of 1 after another in the same turns, and returns the number of the one.
    private func postSideBySide(_ harness: EngineHarness) throws -> Int64 {
        let (many, one) = (Answer<AcceptedBatch>(), Answer<AcceptedBatch>())
        for (items, answer) in [(urls(400, host: "many.org"), many), (urls(1, host: "one.org"), one)] {
            let items = try items.map { NewJob(url: try JobURL($0)) }
            try harness.turn(.submit(Submission(items: items, submittedBy: nil), reply: answer.give))
        }
        while many.value == nil { try harness.turn() }
        return try #require(try one.value?.get().jobs.first).rawValue
    }

    /// Downloads whatever is begun, until nothing is.
    private func downloadAll(_ harness: EngineHarness) throws {
        while true {
            let started = harness.outside.all.started.map(\.job.rawValue)
            harness.outside.change { $0.started = [] }
            if started.isEmpty { return }
            for job in started { try harness.download(job) }
        }
    }

    @Test("A job posted while a long batch is taken in is what it has become, once the batch is through")
    func sideBySide() throws {
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: .init(total: 1, perHost: 1), detections: 1, sliceSize: 100)
        )
        try harness.turn(.setGate(open: false, reply: { _ in }))
        _ = try harness.submit(urls(1, host: "first.org"))
        let one = try postSideBySide(harness)
        try downloadAll(harness)
        try harness.untilWritten()
        #expect(harness.core.status.jobsByState == [.stored: 402])
        #expect(try harness.core.bench.live(JobID(rawValue: one))?.job.state == .stored)
        try harness.turn(.setGate(open: true, reply: { _ in }))
        while let job = harness.outside.all.detecting.first {
            harness.outside.change { $0.detecting.removeFirst() }
            try harness.turn(.detected(job, DetectionResult(outcome: .counted, engine: "x")))
        }
        try harness.untilWritten()
        #expect(harness.core.status.jobsByState == [.done: 402])
        // What the store remembers of its row is as current as what the engine does.
        let pinned = try harness.steer(.prioritize(9), one).get()
        try harness.untilWritten()
        #expect(try harness.stored(one) == pinned && pinned.state == .done && pinned.path != nil)
    }

    @Test("Of two long batches that are accepted by one transaction, no job falls out of the queue")
    func oneTransaction() throws {
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: .init(total: 10, perHost: 10), sliceSize: 200)
        )
        _ = try harness.submit(urls(1, host: "first.org"))
        // The second one has less left when its last turn comes, which is that of the first one, too.
        let inputs = try [("a.org", 400), ("b.org", 340)].map { host, count in
            let items = try urls(count, host: host).map { NewJob(url: try JobURL($0)) }
            return EngineInput.submit(Submission(items: items, submittedBy: nil), reply: { _ in })
        }
        // Sooner than another commit is due.
        _ = try harness.core.turn(inputs, now: harness.now.adding(seconds: 0.002))
        let commits = harness.store.commits
        for time in [0.004, 0.006, 0.008] {
            #expect(harness.core.isTakingIn && harness.store.commits == commits)
            _ = try harness.core.turn([], now: harness.now.adding(seconds: time))
        }
        #expect(!harness.core.isTakingIn && harness.store.commits == commits + 1)
        try harness.untilWritten()
        #expect(harness.outside.all.started.count == 10)
        for job in try harness.store.real.jobIDs(in: [.queued]) {
            #expect(harness.core.bench.queues.transfers.isQueued(job), "\(job)")
        }
    }
}
