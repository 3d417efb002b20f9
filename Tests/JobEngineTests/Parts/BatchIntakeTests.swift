import EngineSupport
import JobModel
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of how batches get in.
struct BatchIntakeTests {
    private let parts: PartBench
    private var bench: Workbench { parts.bench }

    init() throws { parts = try PartBench(JobEngineConfiguration(sliceSize: 2)) }

    private func intake() -> BatchIntake { BatchIntake(bench: bench, after: StoredState()) }

    @Test("A long batch goes in by slices, is hidden until its last, and is answered once that is durable")
    func slices() throws {
        var intake = intake()
        let answer = Answer<AcceptedBatch>()
        try intake.submit(.sample(5), now: parts.now, reply: answer.give)
        for inStore in [2, 4] {
            parts.takeSlice(of: &intake)
            try parts.commit()
            intake.answer()
            #expect(try parts.store.jobIDs(in: [.queued]).count == inStore)
            #expect(intake.count == 1 && intake.isHidden(JobID(rawValue: 1)) && answer.value == nil)
            let begun = bench.queues.transfers.next()
            #expect(begun == nil, "nothing of it is begun")
            #expect(bench.counts.present.isEmpty)
        }
        parts.takeSlice(of: &intake)
        #expect(intake.count == 0 && !intake.isHidden(JobID(rawValue: 1)))
        #expect(intake.isAwaited && answer.value == nil, "it isn't durable yet")
        try parts.commit()
        intake.answer()
        #expect(try answer.value?.get().jobs.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(!intake.isAwaited && bench.counts.present == [.queued: 5])
        let first = bench.queues.transfers.next()
        #expect(first?.rawValue == 1)
    }

    @Test(
        "Batches take turns, so a small one doesn't wait for large ones to be in; what goes in at once is seen at once"
    )
    func turns() throws {
        var intake = intake()
        let answers = (0..<3).map { _ in Answer<AcceptedBatch>() }
        for (answer, count) in zip(answers, [7, 5, 2]) {
            try intake.submit(.sample(count), now: parts.now, reply: answer.give)
        }
        var ended: [Int] = []
        for turn in 1... {
            guard parts.takeSlice(of: &intake) else { break }
            let new = bench.rows.newBatches
            #expect(new.allSatisfy { $0.isVisible == ($0.jobCount == 2) } && bench.rows.newJobs.count <= 2)
            try parts.commit()
            intake.answer()
            for place in answers.indices where answers[place].value != nil && !ended.contains(place) {
                ended.append(place)
                if place == 2 { #expect(turn == 3) }
            }
        }
        #expect(ended == [2, 1, 0] && bench.counts.present == [.queued: 14])
        #expect(try parts.store.jobIDs(in: [.queued]).count == 14)
    }

    @Test("What a full disk keeps out before anything of it is written leaves nothing to remove")
    func notBegun() throws {
        var intake = intake()
        let answers = (0..<2).map { _ in Answer<AcceptedBatch>() }
        for answer in answers { try intake.submit(.sample(4), now: parts.now, reply: answer.give) }
        parts.takeSlice(of: &intake)
        try parts.commit()
        intake.withdraw()
        #expect(bench.rows.withdrawnBatches == [BatchID(rawValue: 1)])
        for answer in answers { #expect(answer.value == .failure(.outOfSpace)) }
    }

    @Test("Who repeats a key hears what the first heard, at any time; with another body it is refused")
    func keys() throws {
        var intake = intake()
        let key = Submission.Idempotency(key: "k", bodyDigest: "one")
        let other = Submission.Idempotency(key: "k", bodyDigest: "two")
        let answers = (1...3).map { _ in Answer<AcceptedBatch>() }
        let refused = (1...2).map { _ in Answer<AcceptedBatch>() }
        try intake.submit(.sample(3, by: 7, key: key), now: parts.now, reply: answers[0].give)
        try intake.submit(.sample(3, by: 7, key: key), now: parts.now, reply: answers[1].give)
        try intake.submit(.sample(3, by: 7, key: other), now: parts.now, reply: refused[0].give)
        while parts.takeSlice(of: &intake) {}
        try parts.commit()
        intake.answer()
        try intake.submit(.sample(3, by: 7, key: key), now: parts.now, reply: answers[2].give)
        try intake.submit(.sample(3, by: 7, key: other), now: parts.now, reply: refused[1].give)
        try parts.commit()
        for answer in answers { #expect(try answer.value?.get().jobs.map(\.rawValue) == [1, 2, 3]) }
        for answer in refused { #expect(answer.value == .failure(.idempotencyKeyReused)) }
        let another = Answer<AcceptedBatch>()
        try intake.submit(.sample(1, by: 8, key: other), now: parts.now, reply: another.give)
        #expect(intake.count == 1, "a key is its user's own")
    }

    @Test("What a full disk keeps out is refused, half way or whole, and leaves nothing but its numbers")
    func withdrawn() throws {
        var intake = intake()
        let (whole, half) = (Answer<AcceptedBatch>(), Answer<AcceptedBatch>())
        try intake.submit(.sample(2), now: parts.now, reply: whole.give)
        try intake.submit(.sample(4), now: parts.now, reply: half.give)
        for _ in 1...2 { parts.takeSlice(of: &intake) }
        intake.withdraw()
        for answer in [whole, half] { #expect(answer.value == .failure(.outOfSpace)) }
        #expect(intake.count == 0 && !intake.isAwaited && bench.ledger.isEmpty && bench.jobs.count == 0)
        let left = bench.queues.transfers.next()
        #expect(bench.counts.present.isEmpty && left == nil)
        let next = Answer<AcceptedBatch>()
        try intake.submit(.sample(1), now: parts.now, reply: next.give)
        parts.takeSlice(of: &intake)
        try parts.commit()
        intake.answer()
        #expect(try next.value?.get().jobs.map(\.rawValue) == [7], "a number is never given twice")
    }

    @Test("Who still waits when the engine stops is told so, whatever is in already")
    func abandoned() throws {
        var intake = intake()
        let (complete, underWay) = (Answer<AcceptedBatch>(), Answer<AcceptedBatch>())
        try intake.submit(.sample(1), now: parts.now, reply: complete.give)
        try intake.submit(.sample(4), now: parts.now, reply: underWay.give)
        parts.takeSlice(of: &intake)
        intake.abandon()
        for answer in [complete, underWay] { #expect(answer.value == .failure(.stopping)) }
    }
}
