/// What a machine goes by when it takes an input, and where what follows from it is collected.
public struct JobContext {
    /// When the input came.
    public var now: Moment
    /// When transfers that were cut off are tried again.
    public var retry: RetryPolicy
    private var generator: any RandomNumberGenerator
    private var decision = JobDecision()

    /// A context in which nothing has happened.
    public init(now: Moment, retry: RetryPolicy, generator: any RandomNumberGenerator) {
        self.now = now
        self.retry = retry
        self.generator = generator
    }

    /// Tells people of something, once it is durable.
    mutating func tell(_ event: JobEvent.Kind) { decision.events.append(event) }

    /// Moves the job in the engine's queues.
    mutating func move(_ move: QueueMove) { decision.moves.append(move) }

    /// Has the outside do something, once what was decided is durable.
    mutating func ask(for deed: JobDeed) { decision.deeds.append(deed) }

    /// Tells who asked why that isn't possible.
    mutating func refuse(_ reason: String) { decision.refusal = reason }

    /// Says that the input can't have happened.
    mutating func object(_ words: String) { decision.impossibility = words }

    /// What follows a try that was cut off; see ``RetryPolicy``.
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

    /// Gives out what was decided, and begins anew.
    mutating func takeDecision() -> JobDecision {
        let taken = decision
        decision = JobDecision()
        return taken
    }
}
