/// A job that is being worked on: as it is to be stored, and what only this run of the daemon knows of it.
@usableFromInline
struct JobDraft: Hashable, Sendable {
    /// The job; whoever changes anything in it has it written.
    @usableFromInline var job: Job { didSet { isChanged = true } }
    /// What the partial is worth.
    var trust = PartialTrust()
    /// When the job got the permit that it has, or had last.
    var tryBegan: Moment?
    private var isChanged = false
    private var hasUnwrittenBytes = false

    /// A job as it was stored.
    init(_ job: Job) { self.job = job }

    /// Takes note of how much the partial holds: that alone is not worth a commit, and is written with
    /// whatever happens to the job next.
    mutating func arrived(_ bytes: Int64) {
        guard bytes != job.bytes else { return }
        let wasChanged = isChanged
        job.bytes = bytes
        isChanged = wasChanged
        hasUnwrittenBytes = true
    }

    /// Whether the job is to be written after an input, given whether anything else followed from it.
    mutating func takeChange(hasConsequences: Bool) -> Bool {
        guard isChanged || hasUnwrittenBytes && hasConsequences else { return false }
        isChanged = false
        hasUnwrittenBytes = false
        return true
    }

    /// Ends the job without a document.
    ///
    /// The partial stays, for another URL to go on with.
    mutating func fail(_ failure: JobFailure, in context: inout JobContext) {
        job.state = .failed
        job.failure = failure
        job.waiting = nil
        job.finishedAt = context.now
        context.tell(.failed(url: job.url.masked, failure: failure))
    }

    /// Puts the job into the queue, or lets the end of what is under way do so.
    mutating func requeue(while activity: JobActivity = .idle, in context: inout JobContext) {
        job.state = .queued
        job.waiting = nil
        job.failure = nil
        job.finishedAt = nil
        if activity == .idle { context.move(.enqueueTransfer) }
    }

    /// The daemon has started again, and nobody does anything for the job; `wasPublished` where a
    /// reservation has just been looked after.
    mutating func recover(wasPublished: Bool, in context: inout JobContext) {
        switch job.state {
        case .downloading: requeue(in: &context)
        case .queued: context.move(.enqueueTransfer)
        case .waiting:
            guard let until = job.waiting?.until else { return }
            // Nobody waits longer than that, whatever became of clocks or of the row.
            let latest = context.now.adding(seconds: RetryPolicy.longestWait)
            if until > latest { job.waiting?.until = latest }
            context.move(.wake(at: min(max(until, context.now), latest)))
        case .detecting:
            job.state = .stored
            goOnWithDocument(in: &context)
        case .stored:
            if !wasPublished { goOnWithDocument(in: &context) }
        case .paused, .failed, .cancelled, .done: break
        }
    }
}
