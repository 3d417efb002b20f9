import JobCore
import JobStore
import TestSupport
import Testing

@testable import JobEngine

/// How batches are accepted.
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
}
