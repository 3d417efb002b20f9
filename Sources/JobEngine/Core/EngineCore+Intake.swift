import JobCore

extension EngineCore {
    /// A batch on its way into the store, a slice a turn, invisible until its
    /// last slice is in.
    struct Intake {
        var batch: StoreChanges.NewBatch
        var items: [NewJob]
        /// How many of the items are in.
        var count = 0
        var replies: [EngineInput.Reply<AcceptedBatch>]
    }

    /// Takes a batch in, or answers as it was answered before.
    func submit(
        _ submission: Submission,
        now: Moment,
        reply: @escaping EngineInput.Reply<AcceptedBatch>
    ) throws(StoreFailure) {
        guard commitRetryAt == nil, !room.isShort else { return reply(.failure(.outOfSpace)) }
        if try answersAgain(submission, reply) { return }
        let first = nextJob
        nextJob += Int64(submission.items.count)
        let batch = StoreChanges.NewBatch(
            id: BatchID(rawValue: nextBatch),
            createdAt: now,
            submittedBy: submission.submittedBy,
            jobs: JobID(rawValue: first)...JobID(rawValue: nextJob - 1),
            isVisible: submission.items.count <= configuration.sliceSize,
            idempotencyKey: submission.idempotency?.key,
            bodyDigest: submission.idempotency?.bodyDigest
        )
        nextBatch += 1
        pending.changes.newBatches.append(batch)
        intakes.append(Intake(batch: batch, items: submission.items, replies: [reply]))
    }

    /// Whether the user has used the key before; then who asks is answered, now or with
    /// those who asked first.
    private func answersAgain(
        _ submission: Submission,
        _ reply: @escaping EngineInput.Reply<AcceptedBatch>
    ) throws(StoreFailure) -> Bool {
        guard let key = submission.idempotency else { return false }
        let user = submission.submittedBy
        let isUnderWay = { (intake: Intake) in
            intake.batch.idempotencyKey == key.key && intake.batch.submittedBy == user
        }
        if let index = intakes.firstIndex(where: isUnderWay) {
            guard intakes[index].batch.bodyDigest == key.bodyDigest else {
                reply(.failure(.idempotencyKeyReused))
                return true
            }
            intakes[index].replies.append(reply)
            return true
        }
        guard let first = try ports.store.acceptedBatch(idempotencyKey: key.key, of: user)
        else { return false }
        guard first.bodyDigest == key.bodyDigest else {
            reply(.failure(.idempotencyKeyReused))
            return true
        }
        var batch = first.batch
        batch.jobsByState = [.queued: batch.jobCount]
        let accepted = AcceptedBatch(batch: batch, jobs: first.jobs)
        answer(reply, with: accepted)
        return true
    }

    /// Writes the next slice of every batch that is on its way in.
    func continueIntakes(now: Moment) throws(StoreFailure) {
        guard commitRetryAt == nil else { return }
        for index in intakes.indices {
            let end = min(intakes[index].count + configuration.sliceSize, intakes[index].items.count)
            for number in intakes[index].count..<end {
                take(intakes[index].items[number], number, of: intakes[index].batch)
            }
            intakes[index].count = end
            if intakes[index].isComplete { finish(intakes[index]) }
        }
        intakes.removeAll(where: \.isComplete)
    }

    private func take(_ item: NewJob, _ number: Int, of batch: StoreChanges.NewBatch) {
        var job = Job(
            id: batch.job(number),
            batch: batch.id,
            createdAt: batch.createdAt,
            url: item.url,
            name: item.name ?? DocumentName.derived(from: item.url)
        )
        job.hasGivenName = item.name != nil
        job.priority = item.priority
        job.expectedSHA256 = item.expectedSHA256
        job.headers = item.headers
        job.rateLimit = item.rateLimit
        pending.changes.newJobs.append(job)
        // What will be fetched at once need not be read back from the store.
        if machines.count < configuration.transfers.total * 8 {
            machines[job.id] = LiveJob(job)
        }
    }

    private func finish(_ intake: Intake) {
        if !intake.batch.isVisible { pending.changes.revealedBatches.append(intake.batch.id) }
        for (number, item) in intake.items.enumerated() {
            queue.enqueue(intake.batch.job(number), host: item.url.hostKey, priority: item.priority)
        }
        counts[.queued, default: 0] += intake.items.count
        let batch = Batch(
            id: intake.batch.id,
            createdAt: intake.batch.createdAt,
            submittedBy: intake.batch.submittedBy,
            jobCount: intake.batch.jobCount,
            jobsByState: [.queued: intake.batch.jobCount]
        )
        let accepted = AcceptedBatch(batch: batch, jobs: (0..<intake.items.count).map(intake.batch.job))
        pending.accepted.append((intake, accepted))
    }

    /// Answers for the batches that a full disk keeps out that they are not accepted, and
    /// forgets all about them.
    func withdrawIntakes() {
        let withdrawn = pending.accepted.map(\.intake) + intakes
        guard !withdrawn.isEmpty else { return }
        // Slices that are in the store already go as soon as anything can be written.
        let new = Set(pending.changes.newBatches.map(\.id))
        pending.changes.withdrawnBatches += withdrawn.map(\.batch.id).filter { !new.contains($0) }
        pending.changes.newBatches = []
        pending.changes.newJobs = []
        pending.changes.revealedBatches = []
        for (intake, _) in pending.accepted {
            for job in (0..<intake.items.count).map(intake.batch.job) {
                counts[machines[job]?.job.state ?? .queued, default: 0] -= 1
                queue.remove(job)
                queue.release(job)
            }
        }
        for intake in withdrawn { forget(intake) }
        pending.accepted = []
        intakes = []
    }

    private func forget(_ intake: Intake) {
        let jobs = intake.batch.jobs
        for job in (0..<intake.count).map(intake.batch.job) {
            machines[job] = nil
            readAhead[job] = nil
            pending.changed[job] = nil
        }
        heldJobs = heldJobs.filter { !jobs.contains($0) }
        if heldJobs.isEmpty { oldestHeld = nil }
        earlyTransfers.removeAll { jobs.contains($0.job) }
        pending.touched = pending.touched.filter { !jobs.contains($0) }
        pending.deeds.removeAll { jobs.contains($0.0) }
        pending.transfers.removeAll { jobs.contains($0.job) }
        // Nobody has heard of any of these events: the others' ids may still close up.
        let first = nextEvent - Int64(pending.changes.events.count)
        pending.changes.events.removeAll { jobs.contains($0.job) }
        for index in pending.changes.events.indices {
            pending.changes.events[index].id = first + Int64(index)
        }
        nextEvent = first + Int64(pending.changes.events.count)
        for reply in intake.replies { reply(.failure(.outOfSpace)) }
    }

    /// Whether a job is on its way in, and so not to be seen yet.
    func isHidden(_ job: JobID) -> Bool {
        intakes.contains { $0.batch.jobs.contains(job) }
    }
}

extension EngineCore.Intake {
    fileprivate var isComplete: Bool { count == items.count }
}

extension StoreChanges.NewBatch {
    /// The id of a job by its place in the batch, from 0.
    fileprivate func job(_ number: Int) -> JobID {
        JobID(rawValue: jobs.lowerBound.rawValue + Int64(number))
    }
}
