import JobModel

/// A job being worked on: its state as it will be stored, and what only this run of the daemon knows
/// about it.
@usableFromInline
struct JobDraft: Hashable, Sendable {
    /// The job; any change to it marks it for writing.
    @usableFromInline var job: Job { didSet { isChanged = true } }
    /// The trust that the partial deserves.
    var trust = PartialTrust()
    /// The time at which the job got its current or last permit.
    var tryBegan: Moment?
    private var isChanged = false
    private var hasUnwrittenBytes = false

    init(_ job: Job) { self.job = job }

    /// Records the partial's length.
    ///
    /// That alone isn't worth a commit; it is written with whatever happens to the job next.
    mutating func arrived(_ bytes: Int64) {
        guard bytes != job.bytes else { return }
        let wasChanged = isChanged
        job.bytes = bytes
        isChanged = wasChanged
        hasUnwrittenBytes = true
    }

    /// Returns whether the job must be written after an input, and considers it written.
    mutating func takeChange(hasConsequences: Bool) -> Bool {
        guard isChanged || hasUnwrittenBytes && hasConsequences else { return false }
        isChanged = false
        hasUnwrittenBytes = false
        return true
    }

    /// Ends the job without a document.
    ///
    /// The partial stays if a retry, with another URL perhaps, can resume it, or if it is the whole file.
    mutating func fail(_ failure: JobFailure, in context: inout JobContext) {
        if job.validator == nil, job.bytes > 0, job.bytes != job.totalBytes { discardPartial(in: &context) }
        job.state = .failed
        job.failure = failure
        job.waiting = nil
        job.finishedAt = context.now
        context.number(.failed, of: &job)
        context.emit(.failed(url: job.url.masked, failure: failure))
    }

    /// Queues the job now, or when the work under way has ended.
    mutating func requeue(while activity: JobActivity = .idle, in context: inout JobContext) {
        job.state = .queued
        job.isHeld = false
        job.waiting = nil
        job.failure = nil
        job.finishedAt = nil
        if activity == .idle { context.move(.enqueueTransfer) }
    }

    /// Goes on with a job after a restart of the daemon; `wasPublished` is true if its reserved name has
    /// just been dealt with.
    mutating func recover(wasPublished: Bool, in context: inout JobContext) {
        switch job.state {
        case .downloading: requeue(in: &context)
        case .queued: context.move(.enqueueTransfer)
        case .waiting:
            guard let until = job.waiting?.until else { return }
            // Bounds the wait, whatever has happened to the clock or to the row.
            let longest =
                job.toldOf.contains(.host) ? HostPatience.askedWaits.upperBound : RetryPolicy.longestWait
            let latest = context.now.adding(seconds: longest)
            if until > latest { job.waiting?.until = latest }
            context.move(.wake(at: min(max(until, context.now), latest)))
        case .detecting:
            job.state = .stored
            goOnWithDocument(in: &context)
        case .stored:
            if !wasPublished { goOnWithDocument(in: &context) }
        case .done, .failed, .cancelled:
            // A document that has just turned up requests its removal itself.
            if !wasPublished { requestRemoval(in: &context) }
        case .paused: break
        }
    }
}
