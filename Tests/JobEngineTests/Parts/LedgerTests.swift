import JobCore
import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of what goes into the next transaction.
struct LedgerTests {
    private let begin = Moment(microseconds: 1_795_243_503_000_000)

    private func batch(_ id: Int64, jobs: ClosedRange<Int64>) -> StoreChanges.NewBatch {
        StoreChanges.NewBatch(
            id: BatchID(rawValue: id),
            createdAt: begin,
            submittedBy: 1000,
            jobs: JobID(rawValue: jobs.lowerBound)...JobID(rawValue: jobs.upperBound),
            isVisible: true
        )
    }

    @Test("A job is written once, as it is at the end, with what was held of it told first")
    func write() throws {
        var ledger = Ledger(after: 7)
        let (first, second) = (try LiveJob.sample(2), try LiveJob.sample(1))
        ledger.hold([.percent(10)], of: first, now: begin)
        #expect(ledger.isEmpty && ledger.heldDueAt != nil)
        ledger.write([.percent(20)], of: first, now: begin)
        ledger.write([], of: second, now: begin)
        ledger.write([.percent(30)], of: first, now: begin)
        first.machine = JobMachine(job: try LiveJob.sample(2).job)
        #expect(ledger.heldDueAt == nil && ledger.isChanged(first.job.id))
        let rows = ledger.rows
        #expect(rows.changedJobs.map(\.id.rawValue) == [1, 2])
        #expect(rows.events.map(\.id) == [8, 9, 10])
        #expect(rows.events.map(\.kind) == [10, 20, 30].map(JobEvent.Kind.percent))
        #expect(ledger.takeCommitted() == rows.events)
        #expect(ledger.isEmpty && !ledger.isChanged(first.job.id))
    }

    @Test("What was held long enough is written by itself, and the rest before the end")
    func releaseHeld() throws {
        var ledger = Ledger(after: 0)
        ledger.hold([.percent(10)], of: try LiveJob.sample(1), now: begin)
        ledger.hold([.percent(10)], of: try LiveJob.sample(2), now: begin.adding(seconds: 0.05))
        ledger.releaseHeld(now: begin.adding(seconds: HeldChanges.longest))
        #expect(ledger.rows.changedJobs.map(\.id.rawValue) == [1])
        ledger.releaseAllHeld(now: begin.adding(seconds: HeldChanges.longest))
        #expect(ledger.rows.changedJobs.map(\.id.rawValue) == [1, 2])
    }

    @Test("Jobs that are being accepted are known as they are now")
    func accepting() throws {
        var ledger = Ledger(after: 0)
        ledger.begin(batch(1, jobs: 5...7))
        for number: Int64 in 5...7 { ledger.begin(try LiveJob.sample(number).job) }
        let (other, accepted) = (try LiveJob.sample(4).job, try LiveJob.sample(5).job)
        #expect(!ledger.isAccepting(other) && ledger.isAccepting(accepted))
        // Whose rows are there already, but for nobody to see.
        ledger.reveal(other.batch)
        #expect(ledger.isAccepting(other) && ledger.isRevealing(other.batch))
        #expect(ledger.newBatch(of: JobID(rawValue: 6))?.submittedBy == 1000)
        #expect(ledger.newBatch(of: JobID(rawValue: 8)) == nil)
        var job = try LiveJob.sample(6).job
        job.priority = 9
        ledger.write([], of: LiveJob(job), now: begin)
        #expect(ledger.newJob(job.id)?.priority == 9)
        #expect(ledger.newJob(JobID(rawValue: 7))?.priority == 0)
        #expect(ledger.newJob(JobID(rawValue: 8)) == nil)
    }

    @Test("Batches that are withdrawn leave nothing behind, and those whose slices are stored go from there")
    func withdraw() throws {
        var ledger = Ledger(after: 0)
        let (stored, new) = (batch(1, jobs: 2...3), batch(2, jobs: 4...5))
        ledger.begin(new)
        ledger.begin(try LiveJob.sample(4).job)
        ledger.reveal(stored.id)
        for number: Int64 in 1...4 {
            ledger.write([.percent(10)], of: try LiveJob.sample(number), now: begin)
        }
        ledger.hold([], of: try LiveJob.sample(5), now: begin)
        ledger.withdraw([stored, new])
        let rows = ledger.rows
        #expect(rows.withdrawnBatches == [stored.id])
        #expect(rows.newBatches.isEmpty && rows.newJobs.isEmpty && rows.revealedBatches.isEmpty)
        #expect(rows.changedJobs.map(\.id.rawValue) == [1])
        #expect(rows.events.map(\.id) == [1] && ledger.heldDueAt == nil)
    }
}
