import JobModel
import Vocabulary

/// Everything a machine needs to handle one input, and the place where it collects its decision.
public struct JobContext {
    /// The time at which the input came.
    public var now: Moment
    /// The policy for retrying transfers that were cut off.
    public var retry: RetryPolicy
    /// The length in bytes from which files have steps of progress told; of shorter ones only start and end are.
    public var stepsFrom: Int64
    /// The folders of documents for which none was asked for.
    public var layout: DocumentLayout
    /// The rules for documents' names and times.
    public var documents: DocumentRules
    private var generator: any RandomNumberGenerator
    private var decision = JobDecision()
    /// The number of the last ending, over all jobs.
    public private(set) var lastEnding: Int64

    /// Creates a context with an empty decision; `lastEnding` is the number of the last ending, 0 for none.
    public init(
        now: Moment,
        retry: RetryPolicy,
        stepsFrom: Int64 = 0,
        layout: DocumentLayout = DocumentLayout(),
        documents: DocumentRules = DocumentRules(),
        generator: any RandomNumberGenerator,
        lastEnding: Int64 = 0
    ) {
        self.now = now
        self.retry = retry
        self.stepsFrom = stepsFrom
        self.layout = layout
        self.documents = documents
        self.generator = generator
        self.lastEnding = lastEnding
    }

    /// Gives an ending of a job the next number.
    ///
    /// Everything that has been decided is written in one transaction, so no number can be seen before a lower
    /// one.
    public mutating func number(_ ending: JobEnding, of job: inout Job) {
        lastEnding += 1
        job.endings[ending] = lastEnding
    }

    /// Adds an event, which is published once the decision is durable.
    mutating func emit(_ event: JobEvent.Kind) { decision.events.append(event) }

    /// Adds a change to the engine's queues.
    mutating func move(_ move: QueueMove) { decision.moves.append(move) }

    /// Adds an effect, which is performed once the decision is durable.
    mutating func perform(_ effect: JobEffect) { decision.effects.append(effect) }

    /// Refuses a request, giving the reason to the person who made it.
    mutating func refuse(_ reason: String) { decision.refusal = reason }

    /// Reports an input that should be impossible in the job's state.
    mutating func object(_ words: String) { decision.impossibility = words }

    /// Decides what follows an attempt that was cut off; see ``RetryPolicy``.
    mutating func decide(
        after failure: JobFailure,
        of job: Job,
        retryAfter: Double?
    ) -> RetryPolicy.Decision {
        retry.decide(
            after: failure,
            tries: job.fruitlessTries,
            struggled: job.struggled,
            retryAfter: retryAfter,
            now: now,
            using: &generator
        )
    }

    /// Returns the decision collected so far and starts an empty one.
    mutating func takeDecision() -> JobDecision {
        var taken = JobDecision()
        swap(&taken, &decision)
        return taken
    }
}
