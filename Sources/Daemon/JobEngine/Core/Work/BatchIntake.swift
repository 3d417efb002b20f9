import JobModel
import Vocabulary

/// Accepts batches by slices, in turns, so that a long one keeps nobody waiting; no batch is visible before
/// its last slice is in.
struct BatchIntake {
    private struct Intake {
        var batch: StoreChanges.NewBatch
        var items: [NewJob]
        /// The number of items taken in so far.
        var count = 0
        /// The source whose page it is.
        var source: SourceWrite?
        var replies: [EngineInput.Reply<AcceptedBatch>]

        var hasBegun: Bool { count > 0 }
        var isComplete: Bool { count == items.count }

        func reply(_ result: Result<AcceptedBatch, ControlError>) { for reply in replies { reply(result) } }
    }

    private let bench: Workbench
    /// The batches under way, in the order of their turns.
    private var underWay: [Intake] = []
    /// The batches whose last slice is in, with the answers to give once it is durable.
    private var complete: [(intake: Intake, answer: AcceptedBatch)] = []
    /// The callers that wait for the durability of what came without a batch.
    private var kept: [EngineInput.Reply<Void>] = []
    private var nextJob: Int64
    private var nextBatch: Int64

    /// Continues the numbering of the store.
    init(bench: Workbench, after stored: StoredState) {
        self.bench = bench
        nextJob = stored.lastJob + 1
        nextBatch = stored.lastBatch + 1
    }

    /// The number of batches that aren't in yet.
    var count: Int { underWay.count }

    /// The newest job, including jobs of batches still being taken in.
    var newestJob: JobID { JobID(rawValue: nextJob - 1) }

    /// True if a caller waits for a batch to be durable.
    var isAwaited: Bool { !complete.isEmpty || !kept.isEmpty }

    /// Returns whether a job is part of a batch being taken in, and so not visible yet.
    func isHidden(_ job: JobID) -> Bool { underWay.contains { $0.batch.jobs.contains(job) } }

    /// Begins to take in a batch, or repeats the answer given before for the same key.
    mutating func submit(
        _ submission: Submission,
        now: Moment,
        reply: @escaping EngineInput.Reply<AcceptedBatch>
    ) throws(StoreFailure) {
        if try answersAgain(submission, reply) { return }
        let first = nextJob
        nextJob += Int64(submission.items.count)
        let batch = StoreChanges.NewBatch(
            id: BatchID(rawValue: nextBatch),
            createdAt: now,
            submittedBy: submission.submittedBy,
            jobs: JobID(rawValue: first)...JobID(rawValue: nextJob - 1),
            isVisible: false,
            idempotencyKey: submission.idempotency?.key,
            bodyDigest: submission.idempotency?.bodyDigest,
            lease: submission.lease,
            known: submission.known
        )
        nextBatch += 1
        var intake = Intake(batch: batch, items: submission.items, replies: [reply])
        intake.source = submission.source
        intake.source?.firstJob = batch.jobs.lowerBound
        underWay.append(intake)
    }

    /// Writes a source's change that brings no job.
    mutating func keep(_ write: SourceWrite, reply: @escaping EngineInput.Reply<Void>) {
        bench.keep(write)
        kept.append(reply)
    }

    /// Writes the answer to a batch of which nothing was new.
    mutating func keep(_ answer: StoreChanges.EmptyAnswer, reply: @escaping EngineInput.Reply<Void>) {
        bench.keep(answer)
        kept.append(reply)
    }

    /// Returns whether the user has used the key before.
    ///
    /// If so, the caller is answered now, or together with the first one.
    private mutating func answersAgain(
        _ submission: Submission,
        _ reply: @escaping EngineInput.Reply<AcceptedBatch>
    ) throws(StoreFailure) -> Bool {
        guard let key = submission.idempotency else { return false }
        let user = submission.submittedBy
        let isUnderWay = { (intake: Intake) in
            intake.batch.idempotencyKey == key.key && intake.batch.submittedBy == user
        }
        if let index = underWay.firstIndex(where: isUnderWay) {
            if underWay[index].batch.bodyDigest == key.bodyDigest {
                underWay[index].replies.append(reply)
            } else {
                reply(.failure(.idempotencyKeyReused))
            }
            return true
        }
        guard let first = try bench.ports.store.acceptedBatch(idempotencyKey: key.key, of: user)
        else { return false }
        guard first.bodyDigest == key.bodyDigest else {
            reply(.failure(.idempotencyKeyReused))
            return true
        }
        var batch = first.batch
        batch.jobsByState = [.queued: batch.jobCount]
        bench.answer(reply, AcceptedBatch(batch: batch, jobs: first.jobs))
        return true
    }

    /// Writes the next slice of the batch whose turn it is; returns false if there is none.
    mutating func takeSlice(_ budget: inout WorkBudget, now: Moment) -> Bool {
        guard !underWay.isEmpty else { return false }
        var intake = underWay.removeFirst()
        let first = intake.count
        let end = first + budget.grant(intake.items.count - first)
        if !intake.hasBegun {
            // A batch accepted in one slice is visible at once.
            intake.batch.isVisible = end == intake.items.count
            bench.begin(intake.batch)
        }
        for number in first..<end { accept(intake.items[number], number, of: intake.batch) }
        bench.putNewJobsInOrder()
        intake.count = end
        guard intake.isComplete else {
            underWay.append(intake)
            return true
        }
        finish(intake, now: now)
        // All of them are queued now, which takes a while as well.
        budget.spend(intake.items.count / 10)
        return true
    }

    private func accept(_ item: NewJob, _ number: Int, of batch: StoreChanges.NewBatch) {
        var job = Job(
            id: batch.job(number),
            batch: batch.id,
            createdAt: batch.createdAt,
            url: item.url,
            name: item.name.map(DocumentName.shortened) ?? DocumentName.derived(from: item.url)
        )
        job.hasGivenName = item.name != nil
        job.priority = item.priority
        job.options = item.options
        bench.begin(job)
    }

    private mutating func finish(_ intake: Intake, now: Moment) {
        bench.finish(intake.batch, now: now)
        if let source = intake.source { bench.keep(source) }
        queue(intake)
        let batch = Batch(
            id: intake.batch.id,
            createdAt: intake.batch.createdAt,
            submittedBy: intake.batch.submittedBy,
            jobCount: intake.batch.jobCount,
            jobsByState: [.queued: intake.batch.jobCount],
            lease: intake.batch.lease,
            known: intake.batch.known
        )
        let jobs = (0..<intake.items.count).map(intake.batch.job)
        complete.append((intake, AcceptedBatch(batch: batch, jobs: jobs)))
    }

    /// Queues the jobs of a batch, those that follow each other and are alike together.
    private func queue(_ intake: Intake) {
        let items = intake.items
        var begin = items.startIndex
        while begin < items.endIndex {
            let item = items[begin]
            let end = items[begin...].firstIndex { !$0.isQueued(like: item) } ?? items.endIndex
            bench.queues.transfers.enqueue(
                intake.batch.job(begin)...intake.batch.job(end - 1),
                host: item.url.hostKey,
                priority: item.priority,
                of: item.options.flow(in: intake.batch.id),
                weight: item.options.weight
            )
            begin = end
        }
    }

    /// Answers the callers whose batches are now durable.
    mutating func answer() {
        let (accepted, sources) = (complete, kept)
        (complete, kept) = ([], [])
        for reply in sources { reply(.success(())) }
        for (intake, answer) in accepted { intake.reply(.success(answer)) }
    }

    /// Refuses the batches for which a full disk has no room, and forgets them.
    mutating func withdraw() {
        let withdrawn = complete.map(\.intake) + underWay
        // Nothing is written of batches that haven't begun.
        let begun = withdrawn.filter(\.hasBegun)
        guard !withdrawn.isEmpty || !kept.isEmpty else { return }
        for (intake, _) in complete { bench.unfinish(intake.batch) }
        let sources = kept
        (complete, underWay, kept) = ([], [], [])
        for intake in withdrawn { bench.leases.forget(intake.batch.id) }
        bench.forget(begun.map(\.batch))
        for intake in withdrawn { intake.reply(.failure(.outOfSpace)) }
        for reply in sources { reply(.failure(.outOfSpace)) }
    }

    /// Tells all waiting callers that the engine is stopping.
    func abandon() {
        for intake in complete.map(\.intake) + underWay { intake.reply(.failure(.stopping)) }
        for reply in kept { reply(.failure(.stopping)) }
    }
}

extension NewJob {
    /// Returns whether this job and another one of its batch agree in everything that queueing depends on.
    fileprivate func isQueued(like other: NewJob) -> Bool {
        priority == other.priority && url.hostKey == other.url.hostKey
            && options.source == other.options.source
            && options.isEvictable == other.options.isEvictable && options.weight == other.options.weight
    }
}

extension StoreChanges.NewBatch {
    /// Returns the id of a job by its index in the batch, from 0.
    fileprivate func job(_ number: Int) -> JobID {
        JobID(rawValue: jobs.lowerBound.rawValue + Int64(number))
    }
}
