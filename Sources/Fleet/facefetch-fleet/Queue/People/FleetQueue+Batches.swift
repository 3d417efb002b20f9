/// Queries of people about batches and jobs.
extension FleetQueue {
    /// A batch and what has become of it.
    struct BatchLine: Hashable, Sendable {
        /// All of it as JSON.
        var json: String
        /// Its number.
        var batch: Int64
        /// The key that it was added under.
        var key: String?
        /// The source that its items are from, if a daemon's has handed them over.
        var source: String?
        /// The number of its jobs.
        var items: Int
        /// The number of its jobs that ended, each way.
        var done, failed, cancelled: Int
        /// The reasons why jobs failed, with their numbers.
        var failures: String?
        /// The number of its jobs that were done, or failed, within the last minute.
        var lastMinute: Int
    }

    /// Returns the latest batches, newest first.
    func batches(latest: Int) throws(FleetQueueError) -> [BatchLine] {
        try allowBitmaps()
        return try connection.run([Call(BatchStatements.list, ["\(latest)"])])[0].map { row in
            BatchLine(
                json: row.text(0) ?? "{}",
                batch: row.integer(1) ?? 0,
                key: row.text(2),
                source: row.text(9),
                items: Int(row.integer(3) ?? 0),
                done: Int(row.integer(4) ?? 0),
                failed: Int(row.integer(5) ?? 0),
                cancelled: Int(row.integer(6) ?? 0),
                failures: row.text(7),
                lastMinute: Int(row.integer(8) ?? 0)
            )
        }
    }

    /// Returns all that is known of a job, without header fields, as JSON; nil if there is none.
    func show(_ job: Int64) throws(FleetQueueError) -> String? {
        try connection.run([Call(BatchStatements.show, ["\(job)"])])[0].first?.text(0)
    }

    /// A job.
    struct JobLine: Hashable, Sendable {
        /// Its number.
        var job: Int64
        /// All of it as JSON.
        var json: String
        /// Its state, a ``JobSelection/State``.
        var state: String
        /// The node that has it, or has ended it.
        var node: String?
        /// The code of the reason why it failed.
        var code: String?
        /// The URL.
        var url: String
    }

    /// Returns up to so many jobs by ascending number.
    func jobs(
        _ selection: JobSelection,
        after job: Int64,
        atMost count: Int = 1000
    ) throws(FleetQueueError) -> [JobLine] {
        let page = JobQuery.page(selection, after: job, atMost: count)
        return try connection.run([BatchStatements.jobs(page)])[0].map { row in
            JobLine(
                job: row.integer(0) ?? 0,
                json: row.text(1) ?? "{}",
                state: row.text(2) ?? "",
                node: row.text(3),
                code: row.text(4),
                url: row.text(5) ?? ""
            )
        }
    }

    /// Returns the documents that came from a URL, or have a SHA-256, as JSON, also those of batches that are
    /// forgotten.
    func documents(url: String? = nil, sha256: String? = nil) throws(FleetQueueError) -> [String] {
        let call = url.map { Call(BatchStatements.findURL, [$0]) } ?? Call(BatchStatements.findHash, [sha256])
        return try connection.run([call])[0].map { $0.text(0) ?? "{}" }
    }
}
