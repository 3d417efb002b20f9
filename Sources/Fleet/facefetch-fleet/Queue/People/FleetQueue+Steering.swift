/// People's changes to batches.
extension FleetQueue {
    /// Actions on a batch.
    enum BatchAction: Sendable {
        /// Claims no more of what hasn't ended of it; what nodes hold of it begins anew later.
        case pause
        /// It is claimed again.
        case resume
        /// Cancels what hasn't ended.
        case cancel
    }

    /// Steers a batch and returns the number of jobs that it changed; nil if there is no such batch.
    func steer(_ action: BatchAction, batch: Int64) throws(FleetQueueError) -> Int? {
        try connection.execute("SET statement_timeout = 0")
        let statement =
            switch action {
            case .pause: OverseerStatements.pause
            case .resume: OverseerStatements.resume
            case .cancel: OverseerStatements.cancel
            }
        guard try has(batch) else { return nil }
        return try insist(Call(statement, ["\(batch)"]))
    }

    /// Cancels jobs that haven't ended, and returns their number.
    func cancel(jobs: [Int64]) throws(FleetQueueError) -> Int {
        try connection.execute("SET statement_timeout = 0")
        return try insist(Call(OverseerStatements.cancelJobs, [ArrayText.of(jobs)]))
    }

    private func insist(_ call: Call) throws(FleetQueueError) -> Int {
        var attempts = 0
        while true {
            do throws(FleetQueueError) {
                return Int(try connection.run([call])[0].first?.integer(0) ?? 0)
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
        try connection.execute("SET statement_timeout = 0")
        var jobs = 0
        if wholly {
            _ = try connection.run([Call(OverseerStatements.forgetContents, ["\(age / .seconds(1))"])])
        }
        while true {
            let values = ["\(age / .seconds(1))", "10", wholly ? "f" : "t"]
            let row = try connection.run([
                Call(OverseerStatements.endedLock), Call(OverseerStatements.forget, values),
            ])[1].first
            guard let row, let batches = row.integer(0), batches > 0 else { return jobs }
            jobs += Int(row.integer(1) ?? 0)
        }
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
