import FleetCore

/// The queue that a fleet shares, over one connection.
///
/// Not Sendable: it stays with the thread that made it. After an error that says `unreachable`, nobody knows
/// what of the call was done; every call may be repeated over a new connection.
public final class FleetQueue {
    let connection: PostgresConnection
    let schema: String

    /// Connects to a schema that is there.
    ///
    /// - Parameters:
    ///   - database: A connection string of libpq.
    ///   - schema: The name of the schema.
    ///   - patience: The time limit of each call.
    /// - Throws: ``FleetQueueError``, also where the schema is of another version
    public init(_ database: String, schema: String, patience: Duration) throws(FleetQueueError) {
        guard FleetSchema.isName(schema) else {
            throw FleetQueueError(.refused(code: "42602"), "\(schema) can't be the name of a schema")
        }
        self.schema = schema
        connection = try PostgresConnection(database, patience: patience)
        let milliseconds = patience.components.seconds * 1000
        // What the other side has given up must not be done later. And a claim goes by the index's order: until
        // PostgreSQL has looked at a new queue, it would read whole buckets and sort them.
        try connection.execute(
            """
            SET search_path = \(schema), pg_temp; SET statement_timeout = \(milliseconds);
            SET idle_in_transaction_session_timeout = \(milliseconds); SET synchronous_commit = on;
            SET enable_bitmapscan = off;
            SET default_transaction_isolation = 'read committed'; SET standard_conforming_strings = on
            """
        )
        let found = Int(try connection.run([Call(NodeStatements.version)])[0].first?.integer(0) ?? 0)
        let wanted = FleetSchema.migrations(schema: schema).count
        guard found == wanted else {
            throw FleetQueueError(
                .otherVersion(found: found, wanted: wanted),
                "the fleet's tables are of version \(found), and this program is for version \(wanted)"
            )
        }
    }

    /// The connection's socket, readable when something is heard.
    public var socket: Int32 { connection.socket }

    /// Begins to listen for new jobs.
    ///
    /// - Throws: ``FleetQueueError``
    public func listen() throws(FleetQueueError) { try connection.execute("LISTEN \(FleetSchema.channel)") }

    /// Returns whether new jobs have been announced since the last time.
    ///
    /// - Throws: ``FleetQueueError``
    public func hasNews() throws(FleetQueueError) -> Bool { try connection.takeNotifications() }
}

// MARK: - A node's life

extension FleetQueue {
    /// A node of the fleet, in one of its lives.
    public struct Node: Hashable, Sendable {
        /// Its number.
        public var id: Int32
        /// The number of this life; an older one's claims and renewals match nothing.
        public var incarnation: Int64
        /// The last ending of its daemon that is in the record.
        public var event: Int64
        /// True if its daemon's store is an older copy of what it was.
        public var isRewound = false
    }

    /// The result of a renewal.
    public enum Heartbeat: Hashable, Sendable {
        /// The lease runs again.
        case renewed(Shares)
        /// Others have declared the node dead.
        case dead
        /// Another program runs under the node's name.
        case replaced
    }

    /// The sharing of the fleet's buckets.
    public struct Shares: Hashable, Sendable {
        /// The nodes that live.
        public var nodes: Int
        /// The node's buckets, without those that it is about to give away.
        public var mine: Int
        /// The buckets that nobody owns.
        public var free: Int
        /// The node's buckets that it is about to give away.
        public var draining: Int
        /// The blame of suspects that wait in its buckets, a number for each kind.
        public var suspects: Set<Int>
        /// The time that the database's clock shows, in seconds.
        public var time: Double
    }

    /// Begins a new life of the node with this name.
    ///
    /// If the last one hasn't been declared dead, the node keeps its buckets and what it held.
    /// - Parameters:
    ///   - store: The identity of its daemon's store, whose endings are counted anew when it changes.
    ///   - newest: The number of the newest ending there.
    /// - Throws: ``FleetQueueError``
    public func register(
        name: String,
        store: String,
        newest: Int64 = .max,
        timing: FleetTiming
    ) throws(FleetQueueError) -> Node {
        let rows = try connection.run([
            Call(NodeStatements.lock), Call(JobStatements.free), Call(NodeStatements.release, [name]),
            Call(NodeStatements.register, [name, timing.lease.text, store, "\(newest)"]),
            Call(NodeStatements.twin, [name, store]),
        ])
        guard let row = rows[3].first, let id = row.integer(0), let incarnation = row.integer(1) else {
            let twin = rows[4].first?.text(0) ?? "?"
            throw FleetQueueError(
                .refused(code: "23505"),
                "the node \(twin) has this daemon, or one whose state is a copy of its: each agent needs a daemon of its "
                    + "own"
            )
        }
        return Node(
            id: Int32(clamping: id),
            incarnation: incarnation,
            event: row.integer(2) ?? 0,
            isRewound: row.flag(3)
        )
    }

    /// Renews the node's lease.
    ///
    /// - Parameters:
    ///   - buries: Whether it declares dead whose lease has been over for long enough.
    ///   - time: What the database's clock should show; if it shows something else, it declares nobody dead.
    /// - Throws: ``FleetQueueError``
    public func beat(
        _ node: Node,
        timing: FleetTiming,
        buries: Bool = true,
        expecting time: Double? = nil
    ) throws(FleetQueueError) -> Heartbeat {
        let rows = try connection.run([
            Call(NodeStatements.beat, [node.idText, node.incarnationText, timing.lease.text]),
            Call(NodeStatements.look, [node.idText]),
            Call(NodeStatements.clamp, [timing.lease.text]),
            Call(NodeStatements.bury, [timing.grace.text, buries ? "t" : "f", time.map { "\($0)" }]),
            Call(JobStatements.free), Call(JobStatements.condemn, [node.idText, node.incarnationText]),
            Call(NodeStatements.give, [node.idText]), Call(NodeStatements.shares, [node.idText]),
        ])
        guard !rows[0].isEmpty else {
            guard let row = rows[1].first, row.integer(0) == node.incarnation else { return .replaced }
            return .dead
        }
        guard let row = rows[7].first else {
            throw FleetQueueError(.unreachable, "the database gave no shares")
        }
        return .renewed(
            Shares(
                nodes: Int(row.integer(0) ?? 1),
                mine: Int(row.integer(1) ?? 0),
                free: Int(row.integer(2) ?? 0),
                draining: Int(row.integer(3) ?? 0),
                suspects: Set((row.text(4) ?? "").split(separator: " ").compactMap { Int($0) }),
                time: rows[0].first?.number(0) ?? 0
            )
        )
    }

    /// Claims buckets that nobody owns; returns their number.
    ///
    /// - Throws: ``FleetQueueError``
    public func claimBuckets(_ count: Int, for node: Node) throws(FleetQueueError) -> Int {
        let rows = try connection.run([
            Call(NodeStatements.lock),
            Call(NodeStatements.take, [node.idText, node.incarnationText, "\(count)"]),
        ])
        return Int(rows[1].first?.integer(0) ?? 0)
    }

    /// Claims nothing more from so many buckets, which go when they are empty.
    ///
    /// - Throws: ``FleetQueueError``
    public func drain(_ count: Int, of node: Node) throws(FleetQueueError) {
        _ = try connection.run([
            Call(NodeStatements.drain, [node.idText, "\(count)"]), Call(NodeStatements.give, [node.idText]),
        ])
    }

    /// Notes why the node has given its buckets up, or with nil that it works again.
    ///
    /// - Throws: ``FleetQueueError``
    public func rest(_ node: Node, because reason: String?) throws(FleetQueueError) {
        _ = try connection.run([Call(NodeStatements.rest, [node.idText, node.incarnationText, reason])])
    }

    /// Returns how many jobs have ended on other nodes lately, and how many of them have failed.
    ///
    /// - Throws: ``FleetQueueError``
    public func others(than node: Node) throws(FleetQueueError) -> (ended: Int, failed: Int) {
        try allowBitmaps()
        let row = try connection.run([Call(NodeStatements.others, [node.idText])])[0].first
        // Claims go without: see above.
        try connection.execute("SET enable_bitmapscan = off")
        return (Int(row?.integer(0) ?? 0), Int(row?.integer(1) ?? 0))
    }

    /// Gives back all that the node has, so that others needn't wait for its lease to end.
    ///
    /// - Throws: ``FleetQueueError``
    public func leave(_ node: Node) throws(FleetQueueError) {
        _ = try connection.run([
            Call(NodeStatements.lock), Call(NodeStatements.leave, [node.idText, node.incarnationText]),
        ])
    }
}

// MARK: - Jobs

extension FleetQueue {
    /// Renews the lease and claims jobs in one transaction; nil if the node has been fenced.
    ///
    /// - Parameter held: How many jobs the node holds of each bucket, which a claim that tops it up goes by.
    /// - Throws: ``FleetQueueError``
    public func claim(
        _ claim: ClaimPlan.Claim,
        holding held: [Int: Int] = [:],
        for node: Node,
        timing: FleetTiming
    ) throws(FleetQueueError) -> [ClaimedItem]? {
        let (jobs, perBucket, blame): (Int, Int, [String]) =
            switch claim {
            case .slice(let jobs, let perBucket), .topUp(let jobs, let perBucket): (jobs, perBucket, [])
            case .suspects(let blame, let jobs):
                (
                    jobs, jobs,
                    ["\(blame)", "\(Poison(blame: blame) == .alone ? Poison.provenFrom - 1 : blame)"]
                )
            }
        var held = held
        if case .topUp = claim {} else { held = [:] }
        let rows = try connection.run([
            Call(NodeStatements.beat, [node.idText, node.incarnationText, timing.lease.text]),
            Call(
                blame.isEmpty ? JobStatements.claim : JobStatements.claimSuspects,
                [
                    node.idText, node.incarnationText, "\(perBucket)", "\(jobs)",
                    ArrayText.of(held.keys.map { $0 }), ArrayText.of(held.keys.map { held[$0] }),
                ] + blame
            ),
        ])
        return rows[0].isEmpty ? nil : rows[1].map(ClaimedItem.init).compactMap { $0 }
    }

    /// Returns what is marked as held by a node, slice by slice.
    ///
    /// - Throws: ``FleetQueueError``
    public func held(by node: Node) throws(FleetQueueError) -> [ClaimedItem] {
        try connection.run([
            Call(JobStatements.prune, [node.idText]), Call(JobStatements.held, [node.idText]),
        ])[1].map(ClaimedItem.init).compactMap { $0 }
    }

    /// Notes that nothing of these slices is held any more.
    ///
    /// - Throws: ``FleetQueueError``
    public func finish(_ tokens: [Int64], of node: Node) throws(FleetQueueError) {
        _ = try connection.run([Call(JobStatements.finish, [node.idText, ArrayText.of(tokens)])])
    }

    /// Notes for how many seconds jobs wait for their next try, so that nobody blames them for what happens in
    /// that time.
    ///
    /// - Throws: ``FleetQueueError``
    public func wait(_ jobs: [FleetJob: Double]) throws(FleetQueueError) {
        guard !jobs.isEmpty else { return }
        let names = Array(jobs.keys)
        let seconds = "{" + names.map { "\(jobs[$0] ?? 0)" }.joined(separator: ",") + "}"
        let values = [ArrayText.of(names.map(\.job)), ArrayText.of(names.map(\.token)), seconds]
        _ = try connection.run([Call(JobStatements.wait, values)])
    }

    /// Returns which of the jobs that a node believes to hold are no longer its own.
    ///
    /// - Throws: ``FleetQueueError``
    public func withdrawn(of jobs: [FleetJob]) throws(FleetQueueError) -> Set<FleetJob> {
        let values = [ArrayText.of(jobs.map(\.job)), ArrayText.of(jobs.map(\.token))]
        return Self.jobs(try connection.run([Call(JobStatements.withdrawn, values)])[0])
    }

    /// Returns what a node holds of buckets that it is about to give away.
    ///
    /// - Throws: ``FleetQueueError``
    public func draining(of node: Node) throws(FleetQueueError) -> Set<FleetJob> {
        Self.jobs(try connection.run([Call(JobStatements.draining, [node.idText])])[0])
    }

    private static func jobs(_ rows: Rows) -> Set<FleetJob> {
        Set(
            rows.map { row in
                row.integer(0).flatMap { job in row.integer(1).map { FleetJob(job: job, token: $0) } }
            }.compactMap { $0 }
        )
    }

    /// Records what has become of jobs, gives others back, and returns which of both stand in the record under
    /// their slices.
    ///
    /// What others have taken over is left as it is. Repeated, it changes nothing.
    /// - Parameter event: The last ending of the daemon that these are from.
    /// - Throws: ``FleetQueueError``
    public func report(
        _ plan: ReportPlan,
        through event: Int64,
        by node: Node
    ) throws(FleetQueueError) -> Set<FleetJob> {
        let records = plan.records
        let back = plan.returned + plan.blamed
        let all = records.map(\.job) + back
        let rows = try connection.run([
            Call(
                JobStatements.report,
                [
                    ArrayText.of(records.map(\.job.job)), ArrayText.of(records.map(\.job.token)),
                    ArrayText.of(records.map(\.state.rawValue)), ArrayText.of(records.map(\.bytes)),
                    ArrayText.of(records.map(\.sha256)), ArrayText.of(records.map(\.document)),
                    ArrayText.of(records.map(\.error)), ArrayText.of(records.map(\.outcome)),
                    ArrayText.of(records.map { $0.faces.map { min($0, Int(Int16.max)) } }),
                    ArrayText.of(records.map(\.detection)),
                    node.idText, node.incarnationText, "\(event)",
                    ArrayText.of(records.map(\.facts)),
                ]
            ),
            Call(
                JobStatements.giveBack,
                [
                    ArrayText.of(back.map(\.job)), ArrayText.of(back.map(\.token)),
                    ArrayText.of(plan.returned.map { _ in 0 } + plan.blamed.map { _ in 1 }),
                ]
            ),
            Call(JobStatements.recorded, [ArrayText.of(all.map(\.job)), ArrayText.of(all.map(\.token))]),
        ])
        return Self.jobs(rows[2])
    }
}

extension FleetQueue.Node {
    fileprivate var idText: String { "\(id)" }
    fileprivate var incarnationText: String { "\(incarnation)" }
}

extension Duration {
    /// The seconds as a decimal number.
    fileprivate var text: String { "\(self / .seconds(1))" }
}
