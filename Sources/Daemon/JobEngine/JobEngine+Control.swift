import JobCore
import JobModel
import Vocabulary

/// Requests of callers, each of which is an input that waits for its answer.
extension JobEngine {
    /// Accepts a whole batch, or refuses it.
    public func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch {
        try await perform { .submit(submission, reply: $0) }
    }

    /// Writes what concerns a source, where no job comes of it.
    public func keep(_ write: SourceWrite) async throws(ControlError) {
        try await perform { .keep(write, reply: $0) }
    }

    /// Keeps the answer to a batch of which nothing was new.
    public func keep(_ answer: StoreChanges.EmptyAnswer) async throws(ControlError) {
        try await perform { .keepAnswer(answer, reply: $0) }
    }

    /// Steers one job and returns its new state.
    public func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job {
        try await perform { .steer(action, job, reply: $0) }
    }

    /// Steers every job for which the action makes sense, and returns their number.
    public func steerAll(_ action: SteeringAction) async throws(ControlError) -> Int {
        try await perform { .steerAll(action, reply: $0) }
    }

    /// Steers those of some jobs for which the action makes sense.
    public func steer(
        _ action: SteeringAction,
        jobs: [JobID],
        in states: [JobState]?
    ) async throws(ControlError) -> Int {
        try await perform { .steerMany(action, jobs, in: states, reply: $0) }
    }

    /// Forgets those of some jobs that have ended.
    public func forget(_ jobs: [JobID]) async throws(ControlError) -> ForgottenJobs {
        try await perform { .forget(jobs, reply: $0) }
    }

    /// Renews a batch's lease, or gives it up with 0 seconds.
    public func renew(_ batch: BatchID, seconds: Int?) async throws(ControlError) {
        try await perform { .renew(batch, seconds: seconds, reply: $0) }
    }

    /// Removes a job's document, if it is what was stored.
    public func removeDocument(of job: JobID) async throws(ControlError) -> Job {
        try await perform { .removeDocument(job, reply: $0) }
    }

    /// Gives precedence to the jobs that a client looks at, until its lease lapses.
    public func attend(
        _ client: Attention.Client,
        visible: [JobID],
        near: [JobID]
    ) async throws(ControlError) {
        try await perform { .attend(client, visible: visible, near: near, reply: $0) }
    }

    /// Opens or holds the detection gate.
    public func setDetectionGate(open: Bool) async throws(ControlError) {
        try await perform { .setGate(open: open, reply: $0) }
    }

    /// Returns the hosts of all jobs that wait for a transfer or have one, by the bytes of their names.
    ///
    /// However many ask, one list is made at a time.
    public func hosts() async throws(ControlError) -> [HostStatus] {
        let answer = await hostsQuestion.answer { () -> Result<[HostStatus], ControlError> in
            do throws(ControlError) {
                let list: HostList = try await self.perform { .hosts(reply: $0) }
                return .success(list.made())
            } catch { return .failure(error) }
        }
        return try answer.get()
    }

    /// Ends the hold of a host before its time.
    public func releaseHost(_ host: String) async throws(ControlError) -> HostStatus? {
        try await perform { .releaseHost(host, reply: $0) }
    }

    private func perform<Value: Sendable>(
        _ input: (@escaping EngineInput.Reply<Value>) -> EngineInput
    ) async throws(ControlError) -> Value {
        let result: Result<Value, ControlError> = await withCheckedContinuation { continuation in
            let isTaken = inbox.post(input { continuation.resume(returning: $0) })
            if !isTaken { continuation.resume(returning: .failure(.stopping)) }
        }
        return try result.get()
    }
}
