/// People's changes to jobs.
extension FleetQueue {
    /// An action on jobs.
    enum Steering: Hashable, Sendable {
        /// Has nobody claim what hasn't ended; what nodes hold of it begins anew later.
        case pause
        /// Has what is paused claimed again.
        case resume
        /// Cancels what hasn't ended.
        case cancel
        /// Queues again what has ended.
        case retry
        /// Gives what waits another priority.
        case prioritize(Int)
        /// Takes from nodes what they hold, to wait again.
        case giveBack

        /// The states in which a job can be steered so.
        var states: Set<JobSelection.State> {
            switch self {
            case .pause: [.queued, .held]
            case .resume: [.paused]
            case .cancel: [.queued, .held, .paused]
            case .retry: [.done, .failed, .cancelled]
            case .prioritize: [.queued, .paused]
            case .giveBack: [.held]
            }
        }
    }

    /// The result of steering.
    struct Steered: Hashable, Sendable {
        /// The number of jobs that were changed.
        var changed = 0
        /// The number of jobs that weren't, because their header fields are gone.
        var without = 0
    }

    /// Steers jobs, a part after the other, and returns how many.
    ///
    /// What has come into another state meanwhile stays as it is, and so does what has ended anew.
    ///
    /// - Throws: ``FleetQueueError``, whose words have the number of jobs that were changed before
    @discardableResult
    func steer(_ action: Steering, _ selection: JobSelection) throws(FleetQueueError) -> Steered {
        let selection = selection.among(action.states)
        let query = JobQuery.all(selection)
        try connection.execute(SteeringStatements.chosen)
        let choice =
            action == .retry ? SteeringStatements.chooseEnded(query) : SteeringStatements.choose(query)
        let row = try connection.run([choice])[0].first
        var steered = Steered(without: Int(row?.integer(1) ?? 0))
        try connection.execute(SteeringStatements.plan)
        for part in 0..<(row?.integer(0) ?? 0) {
            do throws(FleetQueueError) {
                steered.changed += try insist(Self.calls(action, selection, part))
            } catch { throw error.after(steered.changed, "changed") }
        }
        try connection.execute("RESET enable_seqscan")
        return steered
    }

    /// Returns how many jobs would be steered now.
    func count(_ action: Steering, _ selection: JobSelection) throws(FleetQueueError) -> Steered {
        let query = JobQuery.all(selection.among(action.states))
        let row = try connection.run([SteeringStatements.count(query)])[0].first
        let (all, without) = (Int(row?.integer(0) ?? 0), Int(row?.integer(1) ?? 0))
        return Steered(changed: all - without, without: without)
    }

    /// Returns the statements that steer a part of the jobs; the last one's row has their number.
    static func calls(_ action: Steering, _ selection: JobSelection, _ part: Int64) -> [Call] {
        let means = { (state: JobSelection.State) in selection.meant.contains(state) ? "t" : "f" }
        let nodes = selection.nodes.isEmpty ? nil : ArrayText.of(selection.nodes)
        let part = "\(part)"
        let inQueue = [part, means(.queued), means(.held), nodes]
        switch action {
        case .pause: return [Call(SteeringStatements.pause, inQueue)]
        case .resume: return [Call(SteeringStatements.resume, [part])]
        case .cancel: return [Call(SteeringStatements.cancel, inQueue + [means(.paused)])]
        case .retry: return [Call(OverseerStatements.endedLock), Call(SteeringStatements.retry, [part])]
        case .prioritize(let priority):
            let values = [part, "\(priority)", means(.queued), means(.paused)]
            return [Call(SteeringStatements.prioritize, values)]
        case .giveBack: return [Call(SteeringStatements.giveBack, [part])]
        }
    }

    /// Has nobody claim anything until ``release()``, and returns how many jobs were taken from nodes.
    ///
    /// - Parameters:
    ///   - reason: Words for those who ask how the fleet stands.
    ///   - finishes: Whether nodes go on with what they hold.
    func hold(because reason: String? = nil, finishes: Bool = false) throws(FleetQueueError) -> Int {
        _ = try connection.run([Call(SteeringStatements.hold, [reason])])
        _ = try insist([Call(SteeringStatements.settle)])
        return finishes ? 0 : try steer(.giveBack, JobSelection()).changed
    }

    /// Has nodes claim again, and returns whether they were held.
    func release() throws(FleetQueueError) -> Bool {
        try !connection.run([Call(SteeringStatements.release)])[0].isEmpty
    }

    private func insist(_ calls: [Call]) throws(FleetQueueError) -> Int {
        var attempts = 0
        while true {
            do throws(FleetQueueError) {
                return Int(try connection.run(calls).last?.first?.integer(0) ?? 0)
            } catch {
                // Where a node's report and this one waited for each other's jobs, the database undoes all of
                // one of them, which is to be asked for again (PostgreSQL 15, 13.3.4 and 13.5).
                attempts += 1
                guard error.kind == .refused(code: "40P01"), attempts < 10 else { throw error }
            }
        }
    }

    /// Forgets batches whose last job ended so long ago, and returns the number of their jobs.
    ///
    /// A few batches at a time, so that no transaction is long. Documents stay where they are.
    ///
    /// - Parameter wholly: Whether it is forgotten also where their documents are.
    func forget(endedBefore age: Duration, wholly: Bool = false) throws(FleetQueueError) -> Int {
        var jobs = 0
        if wholly {
            _ = try connection.run([Call(OverseerStatements.forgetContents, ["\(age / .seconds(1))"])])
        }
        while true {
            let values = ["\(age / .seconds(1))", "10", wholly ? "f" : "t"]
            do throws(FleetQueueError) {
                let row = try connection.run([
                    Call(OverseerStatements.endedLock), Call(OverseerStatements.forget, values),
                ])[1].first
                guard let row, let batches = row.integer(0), batches > 0 else { return jobs }
                jobs += Int(row.integer(1) ?? 0)
            } catch { throw error.after(jobs, "forgotten") }
        }
    }

    /// Returns the first of these jobs that there isn't.
    func unknown(of jobs: [Int64]) throws(FleetQueueError) -> Int64? {
        try connection.run([Call(OverseerStatements.unknownJobs, [ArrayText.of(jobs)])])[0].first?.integer(0)
    }

    /// Returns the first of these nodes that there has never been.
    func unknown(of nodes: [String]) throws(FleetQueueError) -> String? {
        try connection.run([Call(OverseerStatements.unknownNodes, [ArrayText.of(nodes)])])[0].first?.text(0)
    }

    /// Returns whether there is a batch.
    func has(_ batch: Int64) throws(FleetQueueError) -> Bool {
        try !connection.run([Call(OverseerStatements.batch, ["\(batch)"])])[0].isEmpty
    }

    /// Returns up to a thousand records of a batch as JSON, with their jobs, by ascending number.
    func results(
        of batch: Int64,
        after job: Int64
    ) throws(FleetQueueError) -> [(job: Int64, json: String)] {
        try connection.run([Call(OverseerStatements.results, ["\(batch)", "\(job)", "1000"])])[0]
            .map { ($0.integer(0) ?? 0, $0.text(1) ?? "{}") }
    }
}
