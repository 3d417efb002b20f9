/// One job's way through its states: every decision about it, and no deed.
///
/// Inputs come in, with the time; events, moves in the queues and deeds for the outside come out in a
/// ``JobDecision``. An input that has no meaning in the job's state (a report
/// of a transfer that was given up, say) changes nothing.
///
/// The states and what leads out of them:
///
/// - `queued` → `downloading` with a slot.
/// - `downloading` → `stored` when published; `waiting` when a try is cut
///   off; `failed` when no try can help.
/// - `waiting` → `queued` when its time has come.
/// - `stored` → `detecting` when a detector takes it → `done`; straight to
///   `done` with the result of another document of the same bytes.
/// - any but the final ones → `paused`, and from there back to `queued` or `stored`.
/// - any but `done` → `cancelled`.
/// - `failed`, `cancelled` → `queued` on request; `done` → `stored` to be looked at again.
public struct JobMachine: Hashable, Sendable {
    /// What the outside is doing for the job at this moment.
    ///
    /// It does not survive a crash, and need not.
    public enum Activity: Hashable, Sendable {
        /// Nothing.
        case idle
        /// A transfer is under way; `startedAt` is where its body began.
        case transferring(isFresh: Bool, startedAt: Int64?)
        /// A transfer was asked to stop.
        case stopping
        /// The partial is being synced, and hashed where that takes little time or can't wait.
        case sealing
        /// The partial is being renamed.
        case publishing
    }

    /// The job as it is to be stored.
    public internal(set) var job: Job
    /// Whether what the partial holds is what the transfer under way, or the last one, left there.
    var answer: Answer = .none
    /// True when what is in the partial can't be relied on, and is to go as soon as nobody uses it.
    var partialIsBad = false
    /// When the job got the slot that it has, or had last.
    var tryBegan: Moment?
    /// What is being done for it.
    public internal(set) var activity: Activity = .idle

    /// Whether the transfer under way has been answered, and so writes to the partial.
    enum Answer: Hashable, Sendable {
        /// There is none.
        case none
        /// It has not been answered: the partial is as an earlier run of the machine may have left it.
        case awaited(boot: String?)
        /// It has.
        case begun
    }

    /// A machine for a job as it was stored.
    public init(job: Job) { self.job = job }

    /// Takes one input and collects what follows from it.
    public mutating func handle(
        _ input: JobInput,
        now: Moment,
        retry: RetryPolicy,
        using generator: inout some RandomNumberGenerator,
        into decision: inout JobDecision
    ) {
        switch input {
        case .slotGranted where !job.url.isReadable: failUnreadable(now: now, into: &decision)
        case .slotGranted(let length, let boot):
            tryBegan = now
            begin(partialLength: length, boot: boot, into: &decision)
        case .roomRefused(let failure): roomRefused(failure, now: now, into: &decision)
        case .settled(let length): settled(length: length, into: &decision)
        case .transfer(let report, let counts):
            handle(report, counts: counts, now: now, retry: retry, using: &generator, into: &decision)
        case .storage(let report):
            handle(report, now: now, retry: retry, using: &generator, into: &decision)
        case .retryDue: retryDue(into: &decision)
        case .detectionBegan: detectionBegan(into: &decision)
        case .detectionDeferred: detectionDeferred(into: &decision)
        case .detectionInterrupted: detectionInterrupted(into: &decision)
        case .detectionEnded(let result): detectionEnded(result, now: now, into: &decision)
        case .detectionShared(let result): detectionShared(result, now: now, into: &decision)
        case .recovered(let publication): recover(publication, now: now, into: &decision)
        case .pause: pause(into: &decision)
        case .resume: resume(into: &decision)
        case .cancel: cancel(now: now, into: &decision)
        case .retry(let url, let keepsHeaders):
            retryNow(url: url, keepsHeaders: keepsHeaders, into: &decision)
        case .detect(let demand): detectAgain(demand, into: &decision)
        case .prioritize(let priority): prioritize(priority, into: &decision)
        }
        decision.canWait = decision.isDirty && isWorthLittle(after: input)
    }

    /// Bytes that are fetched again rather than have each small file's beginning written by itself.
    static let smallLength: Int64 = 1 << 20

    /// Whether all there is of the job is the beginning of its first transfer, of a small file.
    ///
    /// It begins anew where that was lost. Later ones replace what a partial and the store agree on.
    private func isWorthLittle(after input: JobInput) -> Bool {
        switch input {
        // The transfer waits to hear of it.
        case .transfer(.restarting, _): return false
        case .slotGranted, .transfer: break
        default: return false
        }
        guard job.attempts == 1, job.state == .downloading, job.segments == nil else { return false }
        return max(job.bytes, job.totalBytes ?? 0) <= Self.smallLength
    }

    /// Whether the machine must be kept in memory: something is under way.
    ///
    /// All others are in the store, and come from there when they are needed.
    public var isLive: Bool {
        job.state == .downloading || job.state == .detecting || activity != .idle
    }
}
