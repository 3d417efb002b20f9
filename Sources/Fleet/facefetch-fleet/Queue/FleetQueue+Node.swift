import FleetCore

extension FleetQueue {
    /// A node of the fleet, in one of its lives.
    struct Node: Hashable, Sendable {
        /// Its number.
        var id: Int32
        /// The number of this life; an older one's claims and renewals match nothing.
        var incarnation: Int64
        /// The last ending of its daemon that is in the record.
        var event: Int64
        /// True if its daemon's store is an older copy of what it was.
        var isRewound = false
    }

    /// The result of a renewal.
    enum Heartbeat: Hashable, Sendable {
        /// The lease runs again.
        case renewed(Shares)
        /// Others have declared the node dead.
        case dead
        /// Another program runs under the node's name.
        case replaced
        /// The fleet's life is over: another connection learns of the next one.
        case isOver
    }

    /// The sharing of the fleet's buckets.
    struct Shares: Hashable, Sendable {
        /// The nodes that live.
        var nodes: Int
        /// The node's buckets, without those that it is about to give away.
        var mine: Int
        /// The buckets that nobody owns.
        var free: Int
        /// The node's buckets that it is about to give away.
        var draining: Int
        /// The fewest buckets that a node has which lives and works, without those that it is about to give away.
        var least: Int
        /// The other nodes that find nothing more in their buckets.
        var idle: Int
        /// The blame of suspects that wait in its buckets, a number for each kind.
        var suspects: Set<Int>
        /// The time that the database's clock shows, in seconds.
        var time: Double
    }

    /// Begins a new life of the node with this name.
    ///
    /// If the last one hasn't been declared dead, the node keeps its buckets and what it held.
    /// - Parameters:
    ///   - store: The identity of its daemon's store, whose endings are counted anew when it changes.
    ///   - newest: The number of the newest ending there.
    func register(
        name: String,
        store: String,
        newest: Int64 = .max,
        timing: FleetTiming
    ) throws(FleetQueueError) -> Node {
        heads = QueueHeads()
        let rows = try connection.run([
            Call(NodeStatements.lock), Call(JobStatements.free), Call(NodeStatements.release, [name]),
            Call(NodeStatements.register, [name, timing.lease.text, store, "\(newest)"]),
            Call(NodeStatements.twin, [name, store]),
        ])
        guard let row = rows[3].first, let id = row.integer(0), let incarnation = row.integer(1) else {
            let (twin, isName) = (rows[4].first?.text(0) ?? "?", rows[4].first?.flag(1) == true)
            throw FleetQueueError(
                .refused(code: "23505"),
                isName
                    ? "a node \(twin) lives that has another daemon: give each node a name of its own, or wait until its "
                        + "lease has ended, if it is this one with a new state directory"
                    : "the node \(twin) has this daemon, or one whose state is a copy of its: each agent needs a daemon of "
                        + "its own"
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
    ///   - idles: Whether it finds nothing more in its buckets.
    func beat(
        _ node: Node,
        timing: FleetTiming,
        idles: Bool = true,
        buries: Bool = true,
        expecting time: Double? = nil
    ) throws(FleetQueueError) -> Heartbeat {
        let values = [node.idText, node.incarnationText, timing.lease.text, fleet, idles ? "t" : "f"]
        let rows = try connection.run([
            Call(NodeStatements.beat, values),
            Call(NodeStatements.look, [node.idText]),
            Call(NodeStatements.clamp),
            Call(NodeStatements.bury, [timing.grace.text, buries ? "t" : "f", time.map { "\($0)" }]),
            Call(JobStatements.free), Call(JobStatements.condemn, [node.idText, node.incarnationText]),
            Call(NodeStatements.give, [node.idText]), Call(NodeStatements.shares, [node.idText]),
        ])
        guard !rows[0].isEmpty else {
            guard let row = rows[1].first else { return .replaced }
            guard row.text(2) == fleet else { return .isOver }
            return row.integer(0) == node.incarnation ? .dead : .replaced
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
                least: row.integer(5).map { Int($0) } ?? .max,
                idle: Int(row.integer(6) ?? 0),
                suspects: Set((row.text(4) ?? "").split(separator: " ").compactMap { Int($0) }),
                time: rows[0].first?.number(0) ?? 0
            )
        )
    }

    /// Claims buckets that nobody owns; returns their number.
    func claimBuckets(_ count: Int, for node: Node) throws(FleetQueueError) -> Int {
        let rows = try connection.run([
            Call(NodeStatements.lock),
            Call(NodeStatements.take, [node.idText, node.incarnationText, "\(count)"]),
        ])
        return Int(rows[1].first?.integer(0) ?? 0)
    }

    /// Claims nothing more from so many buckets, which go when they are empty.
    ///
    /// - Parameter waiting: Whether only those are meant in which something waits.
    func drain(_ count: Int, of node: Node, waiting: Bool = false) throws(FleetQueueError) {
        let among = waiting ? ArrayText.of(heads.waiting) : nil
        _ = try connection.run([
            Call(NodeStatements.drain, [node.idText, "\(count)", among]),
            Call(NodeStatements.give, [node.idText]),
        ])
    }

    /// Returns the number of the node's buckets in which something waits beside what it holds.
    func waitingBuckets(of node: Node) throws(FleetQueueError) -> Int {
        try look(node)
        return heads.waiting.count
    }

    /// Notes why the node has given its buckets up, or with nil that it works again; returns whether it may.
    ///
    /// - Parameter besideOthers: Whether it may only while another node works.
    @discardableResult
    func rest(
        _ node: Node,
        because reason: String?,
        besideOthers: Bool = false
    ) throws(FleetQueueError) -> Bool {
        let values = [node.idText, node.incarnationText, reason, besideOthers ? "t" : "f"]
        return try !connection.run([Call(NodeStatements.lock), Call(NodeStatements.rest, values)])[1].isEmpty
    }

    /// Returns how many jobs have ended on other nodes lately, and how many of them have failed.
    func others(than node: Node) throws(FleetQueueError) -> (ended: Int, failed: Int) {
        try counts(Call(NodeStatements.others, [node.idText]))
    }

    /// Returns the same of jobs in buckets, that have ended within a time.
    func others(
        than node: Node,
        in buckets: Set<Int>,
        within time: Duration
    ) throws(FleetQueueError) -> (ended: Int, failed: Int) {
        let values = [node.idText, ArrayText.of(Array(buckets)), time.text]
        return try counts(Call(NodeStatements.othersThere, values))
    }

    private func counts(_ call: Call) throws(FleetQueueError) -> (ended: Int, failed: Int) {
        try allowBitmaps()
        let row = try connection.run([call])[0].first
        // Claims go without: see above.
        try connection.execute("SET enable_bitmapscan = off")
        return (Int(row?.integer(0) ?? 0), Int(row?.integer(1) ?? 0))
    }

    /// Gives back all that the node has, so that others needn't wait for its lease to end.
    func leave(_ node: Node) throws(FleetQueueError) {
        _ = try connection.run([
            Call(NodeStatements.lock), Call(NodeStatements.leave, [node.idText, node.incarnationText]),
        ])
    }
}

extension FleetQueue.Node {
    var idText: String { "\(id)" }
    var incarnationText: String { "\(incarnation)" }
}

extension Duration {
    /// The seconds as a decimal number.
    var text: String { "\(self / .seconds(1))" }
}
