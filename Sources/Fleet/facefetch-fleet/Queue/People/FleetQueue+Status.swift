/// Views for people.
extension FleetQueue {
    /// The state of the fleet.
    struct Status: Hashable, Sendable {
        /// A node.
        struct Node: Hashable, Sendable {
            /// Its name.
            var name: String
            /// The seconds until its lease ends; nil for one that was stopped, or that others have declared dead.
            var lease: Double?
            /// Since when it is gone (RFC 3339); nil if it isn't.
            var goneSince: String?
            /// The reason why it has given its buckets up; nil if it hasn't.
            var resting: String?
            /// Its buckets.
            var buckets: Int
            /// The jobs that it holds.
            var jobs: Int
        }

        /// The nodes by name.
        var nodes: [Node]
        /// The jobs that haven't ended, without those that are paused.
        var queue: Int
        /// The jobs that are paused.
        var paused: Int
        /// The jobs that have ended.
        var results: Int
        /// The jobs with which nodes have ended more often than by chance.
        var poison: Int
        /// The age of the oldest job's batch, in seconds; nil without one.
        var oldestSeconds: Double?
        /// The jobs that have ended within the last minute.
        var lastMinute: Int
    }

    /// Returns how the fleet stands.
    func status() throws(FleetQueueError) -> Status {
        let nodes = try connection.run([Call(OverseerStatements.nodes)])
        try allowBitmaps()
        let rows = nodes + (try connection.run([Call(OverseerStatements.totals)]))
        let totals = rows[1].first
        return Status(
            nodes: rows[0].map { row in
                Status.Node(
                    name: row.text(0) ?? "",
                    lease: row.number(1),
                    goneSince: row.text(4),
                    resting: row.text(5),
                    buckets: Int(row.integer(2) ?? 0),
                    jobs: Int(row.integer(3) ?? 0)
                )
            },
            queue: Int(totals?.integer(0) ?? 0),
            paused: Int(totals?.integer(1) ?? 0),
            results: Int(totals?.integer(2) ?? 0),
            poison: Int(totals?.integer(3) ?? 0),
            oldestSeconds: totals?.number(4),
            lastMinute: Int(totals?.integer(5) ?? 0)
        )
    }

    /// Lets the index of times be used, which nothing else can do than a scan by bitmaps.
    func allowBitmaps() throws(FleetQueueError) { try connection.execute("SET enable_bitmapscan = on") }
}
