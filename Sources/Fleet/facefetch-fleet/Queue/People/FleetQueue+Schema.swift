/// Making the queue, and granting its use.
extension FleetQueue {
    /// Makes the schema, or brings it to the newest version; may be repeated.
    ///
    /// One of before 0.2.0 is left as it is.
    static func migrate(
        _ database: String,
        schema: String,
        patience: Duration,
        perHost: Duration? = nil
    ) throws(FleetQueueError) {
        let migrations = FleetSchema.migrations(schema: schema)
        try migrate(database, schema: schema, patience: patience, perHost: perHost, by: migrations)
    }

    /// Brings a schema to the version that migrations lead to.
    static func migrate(
        _ database: String,
        schema: String,
        patience: Duration,
        perHost: Duration? = nil,
        by migrations: [FleetSchema.Migration]
    ) throws(FleetQueueError) {
        guard FleetSchema.isName(schema) else {
            throw FleetQueueError(.refused(code: "42602"), "\(schema) can't be the name of a schema")
        }
        let connection = try PostgresConnection(database, patience: patience, perHost: perHost)
        do throws(FleetQueueError) {
            // One at a time, and all or nothing.
            try connection.execute(
                """
                BEGIN;
                SELECT pg_advisory_xact_lock(hashtextextended('facefetch-fleet init \(schema)', 0));
                CREATE SCHEMA IF NOT EXISTS \(schema);
                SET LOCAL search_path = \(schema), pg_temp;
                CREATE TABLE IF NOT EXISTS version (
                    version int NOT NULL, name text, applied_at timestamptz DEFAULT now())
                """
            )
            let found = try version(of: connection)
            let newest = FleetSchema.newest(migrations)
            if let found, !(FleetSchema.first...newest).contains(found) {
                throw FleetQueueError.otherVersion(found: found, wanted: newest)
            }
            if let found, found < newest,
                let node = try connection.run([Call(NodeStatements.living)])[0].first
            {
                throw FleetQueueError(.inUse, "node \(node.text(0) ?? "?") is still running")
            }
            for (number, migration) in zip(FleetSchema.first..., migrations) where number > found ?? 0 {
                try connection.execute(
                    "\(migration.sql); INSERT INTO version VALUES (\(number), '\(migration.name)')"
                )
            }
            // What a migration has made is for nobody else, either, until somebody is told who may. And what came
            // from another database's dump has numbers of transactions there; what has just got this one's is right.
            try connection.execute(
                """
                UPDATE results SET xact = pg_current_xact_id()
                    WHERE xact >= pg_snapshot_xmax(pg_current_snapshot()) AND xact <> pg_current_xact_id();
                \(FleetSchema.nextLife)
                REVOKE ALL ON ALL TABLES IN SCHEMA \(schema) FROM PUBLIC;
                REVOKE ALL ON ALL FUNCTIONS IN SCHEMA \(schema) FROM PUBLIC;
                COMMIT
                """
            )
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Returns the version of the tables; nil if there are none.
    static func version(of connection: PostgresConnection) throws(FleetQueueError) -> Int? {
        try connection.run([Call(NodeStatements.version)])[0].first?.integer(0).map { Int($0) }
    }

    /// The rights of a role.
    private static func rights(of role: Role) -> [String] {
        switch role {
        case .reader:
            [
                "SELECT ON records, in_order, batches, tallies, version, nodes, buckets, slices, queue, paused, hold",
                "SELECT (job, batch) ON items", "SELECT ON lives", "EXECUTE ON FUNCTION life()",
                "EXECUTE ON FUNCTION begin_life(text)",
            ]
        case .submitter: ["EXECUTE ON FUNCTION add(text, text, jsonb)"]
        case .node:
            [
                "SELECT ON version, nodes, buckets, queue, paused, hold, items, slices, results, feeds, fed, lives",
                "SELECT (job) ON contents",
                "INSERT ON nodes, slices, results",
                "UPDATE ON nodes, buckets, queue, slices", "UPDATE (headers, lost_headers) ON items",
                "DELETE ON queue, slices, fed", "USAGE ON SEQUENCE tokens",
                "EXECUTE ON FUNCTION feed(text, text, jsonb)", "EXECUTE ON FUNCTION life()",
                "EXECUTE ON FUNCTION begin_life(text)",
            ]
        }
    }

    /// What a role may do.
    private enum Role { case reader, submitter, node }

    /// Lets a role read records, without header fields, and how the fleet stands, or add jobs by SQL, or run nodes, which see header fields of
    /// what they fetch.
    func allow(
        reader: String? = nil,
        submitter: String? = nil,
        node: String? = nil
    ) throws(FleetQueueError) {
        // Nobody else may connect to a database that is the fleet's own (facefetch-fleet(7)).
        let database = try connection.run([Call(NodeStatements.ownDatabase)])[0].first?.text(0)
        for (role, rights) in [
            (reader, Self.rights(of: .reader)), (submitter, Self.rights(of: .submitter)),
            (node, Self.rights(of: .node)),
        ] {
            guard let role else { continue }
            let name =
                "\"" + role.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
                + "\""
            let connecting = database.map { "CONNECT ON DATABASE \($0)" }
            let grants = ["USAGE ON SCHEMA \(schema)"] + [connecting].compactMap(\.self) + rights
            try connection.execute(grants.map { "GRANT \($0) TO \(name)" }.joined(separator: "; "))
        }
    }
}
