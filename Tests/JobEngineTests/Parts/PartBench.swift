import EngineSupport
import JobModel
import Vocabulary

@testable import JobEngine

/// A bench for one part of the engine to work on: a real store, an outside that only takes notes, and
/// none of the other parts.
final class PartBench {
    private let harness: EngineHarness
    /// The time, which stands still unless a test moves it.
    var now: Moment

    init(_ configuration: JobEngineConfiguration = JobEngineConfiguration()) throws {
        harness = try EngineHarness(configuration)
        now = harness.now
    }

    var bench: Workbench { harness.core.bench }
    var store: FaultyStore { harness.store }
    var outside: Outside { harness.outside }

    /// Writes what was decided, and has it done, told and answered, as the engine does at the end of a turn.
    func commit() throws {
        try store.commit(bench.rows)
        bench.finishTurn()
        bench.giveAnswers()
    }

    /// Jobs, durable and queued.
    @discardableResult
    func accept(_ submission: Submission) throws -> [JobID] {
        var intake = BatchIntake(bench: bench, after: try store.real.storedState())
        let answer = Answer<AcceptedBatch>()
        try intake.submit(submission, now: now, reply: answer.give)
        while takeSlice(of: &intake) {}
        try commit()
        intake.answer()
        return try answer.value?.get().jobs ?? []
    }

    /// The jobs of a slice.
    var slice: Int { bench.configuration.sliceSize }

    /// Takes in a slice of the batch whose turn it is, if there is one.
    @discardableResult
    func takeSlice(of intake: inout BatchIntake) -> Bool {
        var budget = WorkBudget(jobs: slice, sharedBy: 1)
        return intake.takeSlice(&budget, now: now)
    }

    /// So many jobs, durable and queued.
    @discardableResult
    func accept(_ count: Int) throws -> [JobID] { try accept(.sample(count)) }

    /// Gives a permit to everyone who can have one, and has their transfers begun.
    func begin(_ transfers: inout TransferWork) throws {
        transfers.beginTurn()
        try transfers.grantPermits(now: now)
        bench.startEarly()
        try commit()
    }

    func stored(_ job: JobID) throws -> Job? { try store.jobs([job]).first }
}

extension Submission {
    /// A batch of so many pictures.
    static func sample(
        _ count: Int,
        host: String = "example.org",
        by user: UInt32? = nil,
        key: Idempotency? = nil
    ) throws -> Submission {
        let items = try (1...count).map { NewJob(url: try JobURL("http://\(host)/\($0).jpg")) }
        return Submission(items: items, submittedBy: user, idempotency: key)
    }
}
