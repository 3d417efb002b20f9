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
            /// What it has done, where that was asked for.
            var work: Work?
        }

        /// The work of a node.
        struct Work: Hashable, Sendable {
            /// The jobs that it holds that wait for their next try.
            var waiting: Int
            /// The jobs that were done there, or failed, within the last minute.
            var lastMinute: Int
            /// The jobs of batches that aren't forgotten that were done by it, and that failed there.
            var done, failed: Int
            /// The most frequent reasons why they failed, with their numbers.
            var failures: String?
        }

        /// A host that jobs are fetched from.
        struct Host: Hashable, Sendable {
            /// Its name.
            var name: String
            /// The jobs of it that wait in the queue, that nodes hold, and that are paused.
            var queued, held, paused: Int
            /// Those in the queue or held that are not to be tried before a time to come.
            var waiting: Int
            /// The jobs that were done, and that failed, within the last ten minutes.
            var done, failed: Int
            /// The most frequent reason why they failed.
            var code: String?
            /// The age of the batch of the oldest job that hasn't ended, in seconds.
            var oldestSeconds: Double?
        }

        /// The seconds from a batch's addition until jobs of it were done or failed, for half and for 99 of a hundred.
        struct Waited: Hashable, Sendable {
            var p50, p99: Double
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
        /// The jobs that were done, or failed, within the last minute.
        var lastMinute: Int
        /// How long these took since they were added, but for those that were cancelled; nil without any.
        var waited: Waited?
        /// Since when everything is held (RFC 3339), and why; nil if nothing is.
        var heldSince, heldBecause: String?
        /// The hosts with the most jobs that haven't ended, where they were asked for.
        var hosts: [Host]?
    }

    /// Returns how the fleet stands.
    ///
    /// - Parameters:
    ///   - hosts: How many hosts are wanted; nil for none. It reads all that hasn't ended.
    ///   - work: Whether the nodes' work is wanted.
    func status(hosts: Int? = nil, work: Bool = false) throws(FleetQueueError) -> Status {
        var status = try totals()
        if work {
            let rows = try connection.run([Call(StatusStatements.work)])[0]
            let works = Dictionary(rows.map { ($0.text(0) ?? "", Self.work($0)) }) { first, _ in first }
            for index in status.nodes.indices { status.nodes[index].work = works[status.nodes[index].name] }
        }
        if let hosts {
            status.hosts = try connection.run([Call(StatusStatements.hosts, ["\(hosts)"])])[0].map(Self.host)
        }
        return status
    }

    private static func work(_ row: Rows.Row) -> Status.Work {
        Status.Work(
            waiting: Int(row.integer(1) ?? 0),
            lastMinute: Int(row.integer(2) ?? 0),
            done: Int(row.integer(3) ?? 0),
            failed: Int(row.integer(4) ?? 0),
            failures: row.text(5)
        )
    }

    private static func host(_ row: Rows.Row) -> Status.Host {
        Status.Host(
            name: row.text(0) ?? "",
            queued: Int(row.integer(1) ?? 0),
            held: Int(row.integer(2) ?? 0),
            paused: Int(row.integer(3) ?? 0),
            waiting: Int(row.integer(4) ?? 0),
            done: Int(row.integer(5) ?? 0),
            failed: Int(row.integer(6) ?? 0),
            code: row.text(7),
            oldestSeconds: row.number(8)
        )
    }

    /// Returns how the fleet stands, but for what costs more.
    private func totals() throws(FleetQueueError) -> Status {
        let nodes = try connection.run([Call(StatusStatements.nodes)])
        try allowBitmaps()
        let rows = nodes + (try connection.run([Call(StatusStatements.totals)]))
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
            lastMinute: Int(totals?.integer(5) ?? 0),
            waited: totals?.number(6).flatMap { p50 in
                totals?.number(7).map { Status.Waited(p50: p50, p99: $0) }
            },
            heldSince: totals?.text(8),
            heldBecause: totals?.text(9)
        )
    }

    /// Lets the index of times be used, which nothing else can do than a scan by bitmaps.
    func allowBitmaps() throws(FleetQueueError) { try connection.execute("SET enable_bitmapscan = on") }
}
