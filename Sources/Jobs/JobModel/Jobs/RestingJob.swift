import Vocabulary

/// An idle job, reduced to what pausing, resuming or cancelling it depends on.
///
/// It stands only for jobs of which nothing else matters: those that wait for their turn or to be resumed, and
/// have neither failed nor ended, and haven't been looked at before. So very many can be steered at once without
/// reading each one whole.
public struct RestingJob: Hashable, Sendable {
    /// The job's number.
    public var id: JobID
    /// The batch it came with.
    public var batch: BatchID
    /// The moment at which the batch was accepted.
    public var createdAt: Moment
    /// `queued`, `stored` or `paused`.
    public var state: JobState
    /// The document's name.
    public var name: String
    /// The key for the limits per host.
    public var host: String
    /// The priority.
    public var priority: Int
    /// The flow that it belongs to.
    public var flow: Flow
    /// The flow's weight.
    public var weight: Int
    /// True if it has a document with a known hash.
    public var hasDocument = false
    /// The mark by which the detection gate compares its document.
    public var mark: ContentMark?
    /// True if an event has said that a held gate defers its document.
    public var isDeferred = false

    public init(
        id: JobID,
        batch: BatchID,
        createdAt: Moment,
        state: JobState,
        name: String,
        host: String,
        priority: Int,
        flow: Flow,
        weight: Int
    ) {
        self.id = id
        self.batch = batch
        self.createdAt = createdAt
        self.state = state
        self.name = name
        self.host = host
        self.priority = priority
        self.flow = flow
        self.weight = weight
    }

    /// A job that the machine decides about as it would about the whole one: whatever isn't known here has its
    /// default, and doesn't matter.
    public var job: Job {
        var job = Job(id: id, batch: batch, createdAt: createdAt, url: Self.url, name: name)
        job.state = state
        job.priority = priority
        job.detectionDeferred = isDeferred
        if hasDocument { (job.path, job.sha256) = ("/", "0") }
        return job
    }

    private static let url = JobURL(unreadable: "")
}

/// A change that a run of consecutive resting jobs of one batch have in common.
public struct RestingChange: Hashable, Sendable {
    /// The moment at which the jobs were cancelled, and the ending number of the first; the others' numbers
    /// follow it.
    public struct Ending: Hashable, Sendable {
        /// The time.
        public var time: Moment
        /// The number.
        public var first: Int64
    }

    /// The jobs.
    public private(set) var jobs: ClosedRange<JobID>
    /// The batch that they came with.
    public let batch: BatchID
    /// Their state before.
    public let before: JobState
    /// Their state afterwards.
    public let after: JobState
    /// The jobs' ending; nil if they haven't ended.
    public let ending: Ending?

    /// The number of jobs.
    public var count: Int { Int(jobs.upperBound.rawValue - jobs.lowerBound.rawValue) + 1 }

    /// Describes how a machine has changed one job; nil if anything changed that this type can't describe.
    public init?(from before: Job, to after: Job) {
        jobs = before.id...before.id
        batch = before.batch
        self.before = before.state
        self.after = after.state
        if after.state == .cancelled {
            guard let time = after.finishedAt, let number = after.endings[.cancelled] else { return nil }
            ending = Ending(time: time, first: number)
        } else {
            ending = nil
        }
        var expected = before
        apply(to: &expected)
        guard expected == after else { return nil }
    }

    /// Applies the change to a job.
    public func apply(to job: inout Job) {
        job.state = after
        guard let ending else { return }
        job.finishedAt = ending.time
        job.endings[.cancelled] = ending.first + job.id.rawValue - jobs.lowerBound.rawValue
        job.headers = []
    }

    /// Adds the next job's change if it is the same; returns whether it was.
    public mutating func extend(by next: RestingChange) -> Bool {
        let (last, first) = (jobs.upperBound.rawValue, next.jobs.lowerBound.rawValue)
        guard last + 1 == first, batch == next.batch, before == next.before, after == next.after,
            ending?.time == next.ending?.time,
            ending.map({ $0.first + Int64(count) }) == next.ending?.first
        else { return false }
        jobs = jobs.lowerBound...next.jobs.upperBound
        return true
    }
}

/// A hash of a document's content: equal for equal documents.
///
/// Different documents may share one by chance; one of them then waits needlessly while the other is
/// looked at. That happens to one of a billion, as few are looked at at once.
public typealias ContentMark = UInt32
