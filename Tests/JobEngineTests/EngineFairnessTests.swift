import EngineSupport
import JobModel
import JobStore
import Synchronization
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of what a turn does, however many people ask for very much at once.
struct EngineFairnessTests {
    private static let slice = 40

    private func harness() throws -> EngineHarness {
        try EngineHarness(
            JobEngineConfiguration(transfers: .init(total: 1, perHost: 1), sliceSize: Self.slice)
        )
    }

    private func submission(_ count: Int, lease: Int? = nil) throws -> Submission {
        let items = try (1...count).map { NewJob(url: try JobURL("http://example.org/\($0).jpg")) }
        return Submission(items: items, submittedBy: nil, lease: lease)
    }

    /// Jobs that were accepted.
    private func accept(_ count: Int, lease: Int? = nil, _ harness: EngineHarness) throws -> AcceptedBatch {
        let answer = Answer<AcceptedBatch>()
        try harness.turn(.submit(submission(count, lease: lease), reply: answer.give))
        while answer.value == nil { try harness.turn() }
        return try #require(answer.value).get()
    }

    /// A request to do something to very many jobs, of each kind there is.
    enum Kind: CaseIterable {
        case posts, steering, forgetting, leases, all
    }

    @Test("A turn handles as many jobs as ever, and a pause is answered in its own", arguments: Kind.allCases)
    func hundredRequests(_ kind: Kind) throws {
        let (requests, size) = (100, 7)
        let harness = try harness()
        let mine = try accept(1, harness).jobs[0]
        let steered = try accept(requests * size, harness).jobs
        let ended = try accept(requests * size, harness).jobs
        let leased = try (0..<requests).map { _ in try accept(size, lease: 60, harness).batch.id }
        let cancelled = Answer<Int>()
        try harness.turn(.steerMany(.cancel, ended, reply: cancelled.give))
        while cancelled.value == nil { try harness.turn() }

        var inputs: [EngineInput] = []
        let (posted, counted) = (GivenAnswers<AcceptedBatch>(), GivenAnswers<Int>())
        let (forgotten, renewed) = (GivenAnswers<ForgottenJobs>(), GivenAnswers<Void>())
        for number in 0..<requests {
            let jobs = number * size..<(number + 1) * size
            if kind == .posts || kind == .all {
                inputs.append(.submit(try submission(size), reply: posted.next))
            }
            if kind == .steering || kind == .all {
                inputs.append(.steerMany(.pause, Array(steered[jobs]), reply: counted.next))
            }
            if kind == .forgetting || kind == .all {
                inputs.append(.forget(Array(ended[jobs]), reply: forgotten.next))
            }
            if kind == .leases || kind == .all {
                inputs.append(.renew(leased[number], seconds: 0, reply: renewed.next))
            }
        }
        harness.store.written.withLock { $0 = [] }
        harness.now = harness.now.adding(seconds: 1)
        _ = try harness.core.turn(inputs, now: harness.now)
        var turns = 1
        while harness.core.bulkCount > 0 {
            // Who asks for one job hears at the end of the turn, whatever else there is to do.
            _ = try harness.steer(turns.isMultiple(of: 2) ? .resume : .pause, mine.rawValue).get()
            try harness.turn()
            turns += 2
        }
        // What nobody asked for, the beginning of transfers among it, has an eighth more.
        let most = harness.store.written.withLock { $0.max() ?? 0 }
        #expect(most <= Self.slice + Self.slice / 8 + 3)
        #expect(turns > requests * size / Self.slice, "and it took so many turns")
        for answers in [
            posted.values.count, counted.values.count, forgotten.values.count, renewed.values.count,
        ] {
            #expect(answers == requests || answers == 0)
        }
        #expect(try counted.values.allSatisfy { try $0.get() == size })
        #expect(try forgotten.values.allSatisfy { try $0.get() == ForgottenJobs(forgotten: size) })
        #expect(try posted.values.allSatisfy { try $0.get().jobs.count == size })
        let states = harness.core.status.jobsByState
        if kind == .all { #expect(states[.paused, default: 0] >= 2 * requests * size) }
        let stored = try harness.store.jobIDs(in: JobState.allCases).count
        #expect(stored == states.values.reduce(0, +))
    }

    @Test("Who asks for a little needn't wait for a hundred who ask for much")
    func small() throws {
        let harness = try harness()
        let ended = try accept(4000, harness).jobs
        let cancelled = Answer<Int>()
        try harness.turn(.steerMany(.cancel, ended, reply: cancelled.give))
        while cancelled.value == nil { try harness.turn() }
        let (large, small) = (GivenAnswers<ForgottenJobs>(), Answer<AcceptedBatch>())
        for number in 0..<20 {
            let jobs = ended[number * 200..<(number + 1) * 200]
            try harness.turn(.forget(Array(jobs), reply: large.next))
        }
        try harness.turn(.submit(submission(3), reply: small.give))
        for _ in 0..<3 where small.value == nil { try harness.turn() }
        #expect(small.value != nil && large.values.isEmpty)
        while harness.core.bulkCount > 0 { try harness.turn() }
        #expect(large.values.count == 20)
    }

    @Test(
        "Nor are the jobs of a lapsed lease, or those whose time to be tried again has come, all handled in one turn"
    )
    func unasked() throws {
        let harness = try harness()
        _ = try accept(900, lease: 60, harness)
        harness.now = harness.now.adding(seconds: 100)
        harness.store.written.withLock { $0 = [] }
        for _ in 0..<100 { try harness.turn() }
        #expect(harness.core.status.jobsByState[.paused] == 900)
        #expect(harness.store.written.withLock { $0.max() ?? 0 } <= 2 * Self.slice + 3)

        let retried = try PartBench(
            JobEngineConfiguration(transfers: .init(total: 100, perHost: 100), sliceSize: 10)
        )
        let jobs = try retried.accept(100)
        var transfers = TransferWork(bench: retried.bench)
        try retried.begin(&transfers)
        let cut = JobFailure(.timedOut, "slow")
        for job in jobs {
            try transfers.handle(.ended(.interrupted(cut, retryAfter: 60)), of: job, now: retried.now)
        }
        retried.now = retried.now.adding(seconds: 3600)
        for queued in [10, 20] {
            try transfers.takeDueRetries(atMost: 10, now: retried.now)
            #expect(retried.bench.counts.present[.queued] == queued)
        }
        #expect(retried.bench.queues.retries.next.map { $0 <= retried.now } ?? false, "the next turn goes on")
    }
}

/// The answers that several callers were given.
private final class GivenAnswers<Value: Sendable>: Sendable {
    private let given = Mutex<[Result<Value, ControlError>]>([])

    var values: [Result<Value, ControlError>] { given.withLock { $0 } }

    var next: EngineInput.Reply<Value> { { result in self.given.withLock { $0.append(result) } } }
}
