import FleetCore

extension FleetQueue {
    /// Renews the lease and claims jobs in one transaction; nil if the node has been fenced.
    ///
    /// - Parameters:
    ///   - held: How many jobs fewer are claimed of single buckets, such as those that the node holds of them.
    ///   - new: Buckets of which the first jobs of batches are claimed also where there is no room for others.
    func claim(
        _ claim: ClaimPlan.Claim,
        holding held: [Int: Int] = [:],
        newOf new: Set<Int> = [],
        for node: Node,
        timing: FleetTiming
    ) throws(FleetQueueError) -> [ClaimedItem]? {
        let call: Call
        switch claim {
        case .slice(let jobs, let perBucket), .topUp(let jobs, let perBucket):
            try move(node)
            let reach = heads.reach(perBucket: perBucket, less: held, new: new)
            call = Self.call(reach, jobs: jobs, node)
        case .suspects(let blame, let jobs):
            let most = Poison(blame: blame) == .alone ? Poison.provenFrom - 1 : blame
            call = Call(
                ClaimStatements.claimSuspects,
                [node.idText, node.incarnationText, "\(jobs)", "\(blame)", "\(most)"]
            )
        }
        let values = [node.idText, node.incarnationText, timing.lease.text, fleet, nil]
        let rows = try connection.run([Call(NodeStatements.beat, values), call])
        return rows[0].isEmpty ? nil : rows[1].map(ClaimedItem.init).compactMap { $0 }
    }

    /// Returns the call that claims within a reach, whose buckets have their turns in no order.
    static func call(_ reach: QueueHeads.Reach, jobs: Int, _ node: Node) -> Call {
        let buckets = reach.buckets.shuffled()
        var (firsts, lasts): ([Int], [Int]) = ([], [])
        var heads: [QueueHeads.Reach.Head] = []
        for bucket in buckets {
            firsts.append(heads.count + 1)
            heads += bucket.heads
            lasts.append(heads.count)
        }
        return Call(
            ClaimStatements.claim,
            [
                node.idText, node.incarnationText, "\(jobs)", ArrayText.of(buckets.map(\.bucket)),
                ArrayText.of(buckets.map(\.epoch)), ArrayText.of(buckets.map(\.room)), ArrayText.of(firsts),
                ArrayText.of(lasts), ArrayText.of(heads.map(\.turn)), ArrayText.of(heads.map(\.job)),
            ]
        )
    }

    /// Brings the places where jobs begin up to what is known by now.
    ///
    /// Once a second is enough for places that are known: until then, a claim steps over what was claimed since.
    private func move(_ node: Node) throws(FleetQueueError) {
        try hear()
        if isListening { heads.forgetOne() } else { heads = QueueHeads() }
        if lookedAt.map({ $0.duration(to: .now) >= .seconds(1) }) ?? true { try look(node) }
        try find(node)
    }

    /// Moves the places in the node's buckets on to the first jobs that nobody holds.
    func look(_ node: Node) throws(FleetQueueError) {
        try hear()
        lookedAt = .now
        let places = heads.places
        guard !places.isEmpty else { return }
        heads.looked(Self.places(try connection.run([Self.look(places, node)])[0]))
    }

    /// Finds the places in buckets of which nothing is known.
    ///
    /// It looks into a few at first, then into twice as many at a time while that is quick: there it steps over all that
    /// has ended and can't go yet.
    private func find(_ node: Node) throws(FleetQueueError) {
        var count = 4
        while true {
            let values = [node.idText, ArrayText.of(heads.epochs), "\(count)"]
            let begun = ContinuousClock.now
            let found = Self.places(try connection.run([Call(ClaimStatements.find, values)])[0])
            guard heads.found(found) == count, begun.duration(to: .now) < connection.patience / 4 else {
                return
            }
            count *= 2
        }
    }

    /// Returns the call that looks at known places.
    static func look(_ places: [QueueHeads.Place], _ node: Node) -> Call {
        Call(
            ClaimStatements.look,
            [
                node.idText, ArrayText.of(places.map(\.bucket)), ArrayText.of(places.map(\.epoch)),
                ArrayText.of(places.map(\.turn)), ArrayText.of(places.map(\.job)),
            ]
        )
    }

    private static func places(_ rows: Rows) -> [QueueHeads.Place] {
        rows.map { row in
            QueueHeads.Place(
                bucket: Int(row.integer(0) ?? 0),
                epoch: row.integer(1) ?? 0,
                turn: row.integer(2).map { Int($0) },
                job: row.integer(3)
            )
        }
    }
}
