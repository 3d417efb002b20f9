import JobCore

/// What comes into the engine's inbox.
enum EngineInput: Sendable {
    case transfers([(JobID, TransferReport)])
    case storage([(JobID, StorageReport)])
    case detected(JobID, DetectionResult)
    case submit(Submission, reply: Reply<AcceptedBatch>)
    case steer(SteeringAction, JobID, reply: Reply<Job>)
    case steerAll(SteeringAction, reply: Reply<Int>)
    case setGate(open: Bool, reply: Reply<Void>)
    /// The gate follows somebody's presence: nothing that a restart would have to remember.
    case followGate(open: Bool)
    case reconfigure(JobEngineConfiguration)
    case checkIn(@Sendable () -> Void)

    /// Called once, after what it answers is durable.
    typealias Reply<Value> = @Sendable (Result<Value, ControlError>) -> Void
}
