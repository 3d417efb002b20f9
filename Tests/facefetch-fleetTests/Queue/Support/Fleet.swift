import FleetCore

@testable import facefetch_fleet

/// A fleet's schema on a server, with what tests ask of it.
struct Fleet {
    static let timing = FleetTiming(leaseSeconds: 30)

    let server: PostgresServer
    let schema: String
    /// The connection string of its database.
    let database: String

    /// Makes a schema in a database of its own: what is announced in one is heard in all schemas.
    init(on server: PostgresServer) throws {
        self.server = server
        schema = "ff\(UInt32.random(in: 0 ... .max))"
        database = server.database.replacing("dbname=postgres", with: "dbname=\(schema)")
        let connection = try PostgresConnection(server.database, patience: .seconds(60))
        try connection.execute("CREATE DATABASE \(schema)")
        try migrate()
    }

    /// The same in a copy of its server.
    init(_ other: Fleet, on server: PostgresServer) {
        (self.server, schema) = (server, other.schema)
        database = other.database.replacing(other.server.directory, with: server.directory)
    }

    /// Makes the schema's tables, or brings them up to date.
    func migrate() throws { try FleetQueue.migrate(database, schema: schema, patience: .seconds(20)) }

    /// Another connection.
    func connect() throws -> FleetQueue {
        try FleetQueue(database, schema: schema, patience: .seconds(20))
    }

    /// Adds so many jobs on so many hosts.
    @discardableResult
    func add(_ count: Int, hosts: Int = 50, headers: String? = nil) throws -> Int64 {
        var items: [FleetQueue.NewItem]? = (0..<count).map { number in
            var item = FleetQueue.NewItem(url: "https://host\(number % hosts).example/\(number).jpg")
            item.headers = headers
            return item
        }
        let added = try connect().add(key: nil, digest: nil) {
            defer { items = nil }
            return items
        }
        guard case .new(let batch) = added else { return 0 }
        return batch
    }

    /// Adds items.
    func add(
        _ items: [FleetQueue.NewItem],
        _ queue: FleetQueue,
        skipsKnown: Bool = false
    ) throws -> FleetQueue.Added {
        var rest: [FleetQueue.NewItem]? = items
        return try queue.add(key: nil, digest: nil, skipsKnown: skipsKnown) {
            defer { rest = nil }
            return rest
        }
    }

    /// Registers a node and has it take all that is free for it.
    func node(_ name: String, _ queue: FleetQueue, store: String? = nil) throws -> FleetQueue.Node {
        let store = store ?? (name == "a" ? "s" : "s of \(name)")
        let node = try queue.register(name: name, store: store, timing: Self.timing)
        try share(node, queue)
        return node
    }

    /// Has a node take or give what it should.
    func share(_ node: FleetQueue.Node, _ queue: FleetQueue) throws {
        guard case .renewed(let shares) = try queue.beat(node, timing: Self.timing) else { return }
        let (nodes, least) = (shares.nodes, shares.least)
        switch BucketShare.change(nodes: nodes, mine: shares.mine, free: shares.free, least: least) {
        case .none: break
        case .take(let count): _ = try queue.claimBuckets(count, for: node)
        case .drain(let count): try queue.drain(count, of: node)
        }
    }

    /// One number that SQL says.
    func number(_ sql: String, _ queue: FleetQueue) throws -> Int64 {
        try queue.connection.run([Call(Statement(name: "q\(sql.hashValue)", sql: sql))])[0].first?.integer(0)
            ?? -1
    }

    /// Has a node's lease end long ago.
    func expire(_ node: FleetQueue.Node, _ queue: FleetQueue) throws {
        try queue.connection.execute(
            "UPDATE nodes SET expires_at = now() - interval '1 h' WHERE node = \(node.id)"
        )
    }
}

extension ClaimedItem {
    /// Returns what a daemon would say of it in the end.
    func ending(_ state: FleetEnding.State = .done) -> FleetEnding {
        var ending = FleetEnding(job: job, local: job.job + 1000, state: state)
        if state == .done {
            ending.path = "/d/\(job.job).jpg"
            ending.bytes = 12
            ending.sha256 = String(repeating: "ab", count: 32)
            ending.outcome = "counted"
            ending.faces = 1
            ending.detection = #"{"faces":[]}"#
        }
        return ending
    }
}

extension FleetQueue {
    /// Reports what has become of items.
    func report(
        _ items: [ClaimedItem],
        _ state: FleetEnding.State = .done,
        by node: Node
    ) throws -> Set<FleetJob> {
        let plan = ReportPlan(items.map { $0.ending(state) }, in: .local(node: "n"))
        return try report(plan, through: 7, by: node)
    }
}

/// Steering of whole batches and of single jobs, as most tests want it.
extension FleetQueue {
    /// Steers a batch; nil if there is none.
    func steer(_ action: Steering, batch: Int64) throws -> Int? {
        guard try has(batch) else { return nil }
        return try steer(action, .of(batch)).changed
    }

    /// Steers jobs.
    func steer(_ action: Steering, jobs: [Int64]) throws -> Int {
        var selection = JobSelection()
        selection.jobs = jobs
        return try steer(action, selection).changed
    }

    /// Has what failed of a batch tried again, and what was cancelled if that is wanted; nil if there is none.
    func retry(batch: Int64, onlyFailed: Bool) throws -> (queued: Int, without: Int)? {
        guard try has(batch) else { return nil }
        let steered = try steer(.retry, .of(batch, onlyFailed ? [.failed] : [.failed, .cancelled]))
        return (steered.changed, steered.without)
    }

    /// Returns jobs of a batch in some states, or in all.
    func jobs(
        of batch: Int64,
        after job: Int64 = 0,
        states: [String] = [],
        atMost count: Int = 1000
    ) throws -> [JobLine] {
        let states = states.isEmpty ? JobSelection.State.allCases : states.compactMap(JobSelection.State.init)
        return try jobs(.of(batch, Set(states)), after: job, atMost: count)
    }
}

extension JobSelection {
    /// The jobs of a batch in some states, or in all.
    static func of(_ batch: Int64, _ states: Set<State> = Set(State.allCases)) -> JobSelection {
        var selection = JobSelection(states)
        selection.batch = batch
        return selection
    }

    /// The same jobs, of which something else is said as well.
    func with(_ change: (inout JobSelection) -> Void) -> JobSelection {
        var selection = self
        change(&selection)
        return selection
    }
}
