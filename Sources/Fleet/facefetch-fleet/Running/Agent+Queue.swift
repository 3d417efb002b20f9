import FleetCore

/// The node in the queue: its registration, its lease, its share of buckets, and what it claims.
extension Agent {
    func connect() throws(FleetQueueError) {
        guard queue == nil || node == nil, now >= retryAt else { return }
        retryAt = now + Self.pause
        let queue: FleetQueue
        if let known = self.queue {
            queue = known
        } else {
            queue = try FleetQueue(
                database,
                schema: settings.schema,
                patience: settings.timing.patience
            )
            try queue.listen()
            (self.queue, hasConnected) = (queue, true)
            // What was asked last may have been done, or be done yet, and nobody has heard of it: a claim whose
            // jobs wait for this node, say. A new incarnation fences what comes late, and finds what was done.
            if !isClosed { node = nil }
        }
        guard node == nil else { return }
        // Without a daemon there is nothing to register: others may have the work.
        let (store, newest): (String, Int64)
        do { (store, newest) = (try daemon.store(), try daemon.newestEnding()) } catch {
            return daemonTrouble(error)
        }
        let sent = now
        let node = try queue.register(
            name: settings.node,
            store: store,
            newest: newest,
            timing: settings.timing
        )
        lease.renewed(sentAt: sent)
        if node.isRewound {
            Output.note(
                "the daemon's state is older than what has been reported of it, so it was restored from a copy: its "
                    + "endings are read from the beginning"
            )
        }
        let held: [ClaimedItem]
        do {
            held = try queue.held(by: node)
            feeding = Feeding(store: store, through: try queue.fedThrough(store: store))
            let mayBeAlone = hold.reason(at: now) != nil && !hold.isPartial
            if let restReason, try !queue.rest(node, because: restReason, besideOthers: !mayBeAlone) {
                health.excuse(at: now)
                self.restReason = nil
            }
        } catch {
            self.node = nil
            throw error
        }
        (self.node, shares, window) = (node, nil, ReportWindow(behind: node.event))
        mayLack = true
        let isFirst = slices.count == 0
        // As after a restart: the daemon knows each slice by its key.
        slices = Slices()
        slices.add(held, mayBeThere: true)
        if isFirst, !held.isEmpty { Output.note("goes on with \(held.count) jobs of an earlier run") }
        findAbandoned()
    }

    /// The database's connection string as it stands in the settings now: its password may have been changed.
    private var database: String { (try? FleetSettings(path: settings.path))?.database ?? settings.database }

    /// True if it finds nothing more in its buckets, or has none: who has been at rest claims nothing that would show it.
    private var isIdle: Bool { plan.isIdle || shares?.mine == 0 }

    func renew() throws(FleetQueueError) {
        guard let queue, let node, lease.wantsRenewal(at: now) || shares == nil else { return }
        let sent = now
        switch try queue.beat(
            node,
            timing: settings.timing,
            idles: isIdle,
            buries: lease.mayBury(at: now),
            expecting: lease.databaseTime(at: now)
        ) {
        case .renewed(let shares):
            lease.renewed(sentAt: sent)
            lease.database(shares.time, sentAt: sent)
            self.shares = shares
            drainingSince = shares.draining == 0 ? nil : drainingSince ?? now
            guard !isClosed, try !rests(queue, node) else { return }
            try share(shares, queue, node)
        case .dead: fenced()
        case .replaced: isReplaced = true
        case .isOver:
            Output.note("the fleet has begun a new life, since its database was restored")
            beginAnew()
        }
    }

    /// Takes and gives buckets.
    private func share(
        _ shares: FleetQueue.Shares,
        _ queue: FleetQueue,
        _ node: FleetQueue.Node
    ) throws(FleetQueueError) {
        let (nodes, mine, free, least) = (shares.nodes, shares.mine, shares.free, shares.least)
        let work = BucketShare.Work(
            isIdle: isIdle,
            idle: shares.idle,
            waiting: isIdle || shares.idle == 0 ? 0 : try queue.waitingBuckets(of: node),
            draining: shares.draining
        )
        var change = BucketShare.Change.none
        var helps = false
        switch BucketShare.help(nodes: nodes, mine: mine, free: free, least: least, work) {
        case .none: break
        case .even: change = BucketShare.change(nodes: nodes, mine: mine, free: free, least: least)
        case .take(let count): change = .take(count)
        case .drain(let count): (change, helps) = (.drain(count), true)
        }
        switch change {
        case .none: break
        case .take(let count):
            self.shares?.mine += try queue.claimBuckets(count, for: node)
            plan.heard()
        case .drain(let count):
            try queue.drain(count, of: node, waiting: helps)
            self.shares?.mine -= count
        }
    }

    /// Connects and registers again, in what is then the fleet's life.
    func beginAnew() { (queue, node, retryAt) = (nil, nil, .zero) }

    /// Gives all buckets up while the daemon holds, and others work; returns whether the node does nothing else.
    private func holds(
        _ queue: FleetQueue,
        _ node: FleetQueue.Node,
        because reason: String
    ) throws(FleetQueueError) -> Bool {
        guard restReason == reason else {
            guard try queue.rest(node, because: reason, besideOthers: hold.isPartial) else { return false }
            restReason = reason
            note("node", "it rests: \(reason)")
            // The next renewal tells how many others work.
            return true
        }
        guard let shares, shares.nodes > 0 else { return !hold.isPartial }
        try queue.drain(BucketShare.buckets, of: node)
        self.shares?.mine = 0
        return true
    }

    /// Gives all buckets up while the node is suspected of failing nearly everything, and longer if it is so; returns
    /// whether it does.
    private func rests(_ queue: FleetQueue, _ node: FleetQueue.Node) throws(FleetQueueError) -> Bool {
        if let reason = hold.reason(at: now), try holds(queue, node, because: reason) { return true }
        if health.asks(at: now) {
            let others = try queue.others(than: node)
            if let reason = health.judge(others: others.ended, failed: others.failed, at: now) {
                if try queue.rest(node, because: reason, besideOthers: true) {
                    restReason = reason
                    Output.note("the node gives its buckets up: \(reason)")
                } else {
                    health.excuse(at: now)
                }
            }
        }
        if let asked = health.reviews(at: now) {
            let others = try queue.others(than: node, in: asked.buckets, within: asked.age)
            if let reason = health.review(others: others.ended, failed: others.failed, at: now) {
                restReason = reason
                try queue.rest(node, because: reason)
                Output.note("the node rests for a while: \(reason)")
            }
        }
        _ = health.wakes(at: now)
        guard health.restsUntil == nil else {
            try queue.drain(BucketShare.buckets, of: node)
            shares?.mine = 0
            return true
        }
        if restReason != nil {
            restReason = nil
            try queue.rest(node, because: nil)
            Output.note("the node works again")
        }
        return false
    }

    /// Gives all back when the daemon hasn't answered for two leases: what it has lapses there by itself.
    func leaveWithoutDaemon() throws(FleetQueueError) {
        guard daemon.isAway else { return awaySince = nil }
        let since = awaySince ?? now
        awaySince = since
        guard let queue, let node, !isClosed, now - since > settings.timing.lease * 2 else { return }
        // It may not have been asked for as long.
        guard (try? daemon.store()) == nil else { return awaySince = nil }
        if !life.owesBlame { life.lost(at: now) }
        try blame()
        let reason = "its daemon doesn't answer"
        try queue.rest(node, because: reason)
        try queue.leave(node)
        Output.note("the node gives back all that it had, since \(reason)")
        figures.returned += slices.count
        slices.abandonAll()
        self.node = nil
    }

    /// Goes on under a new incarnation, since others own what the node held.
    func fenced() {
        Output.note("others have taken over what this node had; it starts again under a new incarnation")
        figures.fenced += 1
        lease.lost()
        slices.abandonAll()
        node = nil
        retryAt = .zero
    }

    /// Gives up a connection of which nothing is known, and reports the trouble.
    func trouble(_ error: FleetQueueError) throws(FleetFailure) {
        switch error.kind {
        case .refused(let code) where code == "42P01" || code == "3F000": throw FleetFailure(error)
        // One that was there comes again, such as one that is being restored.
        case .refused(code: "3D000") where !hasConnected: throw FleetFailure(error)
        case .otherVersion, .beforeRelease, .inUse, .restored: throw FleetFailure(error)
        case .refused, .unreachable: break
        }
        note("database", error.description)
        figures.databaseFailures += 1
        queue = nil
        retryAt = now + Self.pause
    }

    func claim() throws(FleetQueueError) {
        guard let queue, let node, let shares else { return }
        if try queue.hasNews() {
            plan.heard()
            hasHeard = true
        }
        let situation = ClaimPlan.Situation(
            standing: lease.standing(at: now),
            held: slices.count - slices.waitingCount,
            waiting: slices.waitingCount,
            holdsAlone: slices.holds { $0 == .alone },
            holdsGroup: slices.holds { if case .grouped = $0 { true } else { false } },
            suspects: life.mayTry(at: now) ? shares.suspects : [],
            buckets: shares.mine,
            // One slice at a time is on its way to the daemon.
            isClosed: isClosed || health.restsUntil != nil || hold.stopsClaims(besideOthers: shares.nodes > 1)
                || !slices.unposted.isEmpty
        )
        guard let claim = plan.claim(situation, at: now) else { return }
        let sent = now
        guard
            let items = try queue.claim(
                claim,
                holding: slices.lessened(for: claim),
                newOf: slices.new(for: claim),
                for: node,
                timing: settings.timing
            )
        else {
            // The next renewal says whether the node was declared dead, or another agent has its name.
            return self.shares = nil
        }
        lease.renewed(sentAt: sent, byClaim: true)
        figures.claims.add(now - sent)
        figures.claimed += items.count
        slices.add(items, mayBeThere: false)
        plan.claimed(items.count, of: claim, at: now)
        // The next renewal says whether there are others.
        if case .suspects(let blame, let jobs) = claim, items.count < jobs {
            self.shares?.suspects.remove(blame)
        }
    }
}
