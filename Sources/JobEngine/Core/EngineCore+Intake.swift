import JobCore

extension EngineCore {
    /// A batch on its way into the store, a slice a turn, invisible until its
    /// last slice is in.
    struct Intake {
        var batch: StoreChanges.NewBatch
        var items: ArraySlice<NewJob>
        var jobs: [StoredState.QueuedJob] = []
        var replies: [EngineInput.Reply<AcceptedBatch>]
    }

    /// Takes a batch in, or answers as it was answered before.
    func submit(
        _ submission: Submission,
        now: Timestamp,
        reply: @escaping EngineInput.Reply<AcceptedBatch>
    ) throws(StoreFailure) {
        guard commitRetryAt == nil else { return reply(.failure(.outOfSpace)) }
        if let key = submission.idempotency, try answerAgain(key, reply) { return }
        let batch = StoreChanges.NewBatch(
            id: BatchID(rawValue: nextBatch),
            createdAt: now,
            submittedBy: submission.submittedBy,
            jobCount: submission.items.count,
            isVisible: submission.items.count <= configuration.sliceSize,
            idempotencyKey: submission.idempotency?.key,
            bodyDigest: submission.idempotency?.bodyDigest
        )
        nextBatch += 1
        pending.changes.newBatches.append(batch)
        intakes.append(Intake(batch: batch, items: submission.items[...], replies: [reply]))
    }

    /// Whether the key has been used; then who asks is answered, now or with
    /// those who asked first.
    private func answerAgain(
        _ key: Submission.Idempotency,
        _ reply: @escaping EngineInput.Reply<AcceptedBatch>
    ) throws(StoreFailure) -> Bool {
        if let index = intakes.firstIndex(where: { $0.batch.idempotencyKey == key.key }) {
            guard intakes[index].batch.bodyDigest == key.bodyDigest else {
                reply(.failure(.idempotencyKeyReused))
                return true
            }
            intakes[index].replies.append(reply)
            return true
        }
        guard let first = try ports.store.acceptedBatch(idempotencyKey: key.key) else { return false }
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
    func continueIntakes(now: Timestamp) throws(StoreFailure) {
        guard commitRetryAt == nil else { return }
        for index in intakes.indices {
            let slice = intakes[index].items.prefix(configuration.sliceSize)
            intakes[index].items = intakes[index].items.dropFirst(slice.count)
            for item in slice { take(item, into: index) }
            if intakes[index].items.isEmpty { finish(intakes[index]) }
        }
        intakes.removeAll { $0.items.isEmpty }
    }

    private func take(_ item: NewJob, into index: Int) {
        let batch = intakes[index].batch
        var job = Job(
            id: JobID(rawValue: nextJob),
            batch: batch.id,
            createdAt: batch.createdAt,
            url: item.url,
            name: item.name ?? DocumentName.derived(from: item.url)
        )
        nextJob += 1
        job.hasGivenName = item.name != nil
        job.priority = item.priority
        job.expectedSHA256 = item.expectedSHA256
        job.headers = item.headers
        job.rateLimit = item.rateLimit
        pending.changes.newJobs.append(job)
        intakes[index].jobs.append(
            StoredState.QueuedJob(id: job.id, host: job.url.hostKey, priority: job.priority)
        )
        // What will be fetched at once need not be read back from the store.
        if machines.count < configuration.transfers.total * 8 {
            machines[job.id] = JobMachine(job: job)
        }
    }

    private func finish(_ intake: Intake) {
        if !intake.batch.isVisible { pending.changes.revealedBatches.append(intake.batch.id) }
        for job in intake.jobs { queue.enqueue(job.id, host: job.host, priority: job.priority) }
        counts[.queued, default: 0] += intake.jobs.count
        let batch = Batch(
            id: intake.batch.id,
            createdAt: intake.batch.createdAt,
            submittedBy: intake.batch.submittedBy,
            jobCount: intake.batch.jobCount,
            jobsByState: [.queued: intake.batch.jobCount]
        )
        let accepted = AcceptedBatch(batch: batch, jobs: intake.jobs.map(\.id))
        for reply in intake.replies { answer(reply, with: accepted) }
    }

    /// Whether a job is on its way in, and so not to be seen yet.
    func isHidden(_ job: JobID) -> Bool {
        intakes.contains { intake in
            guard let first = intake.jobs.first, let last = intake.jobs.last else { return false }
            return (first.id...last.id).contains(job)
        }
    }
}
