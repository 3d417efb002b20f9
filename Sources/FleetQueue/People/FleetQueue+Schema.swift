/// Making the queue, and granting its use.
extension FleetQueue {
    /// Makes the schema, or brings it to the newest version; may be repeated.
    ///
    /// - Throws: ``FleetQueueError``
    public static func migrate(_ database: String, schema: String, patience: Duration) throws(FleetQueueError)
    {
        guard FleetSchema.isName(schema) else {
            throw FleetQueueError(.refused(code: "42602"), "\(schema) can't be the name of a schema")
        }
        let connection = try PostgresConnection(database, patience: patience)
        let migrations = FleetSchema.migrations(schema: schema)
        // One at a time, and all or nothing.
        var sql = """
            BEGIN;
            SELECT pg_advisory_xact_lock(hashtextextended('facefetch-fleet init \(schema)', 0));
            CREATE SCHEMA IF NOT EXISTS \(schema);
            SET LOCAL search_path = \(schema), pg_temp;
            CREATE TABLE IF NOT EXISTS version (version int NOT NULL);
            ALTER TABLE version ADD COLUMN IF NOT EXISTS name text,
                ADD COLUMN IF NOT EXISTS applied_at timestamptz DEFAULT now();

            """
        for (index, migration) in migrations.enumerated() {
            sql += """
                DO $step$ BEGIN
                IF NOT EXISTS (SELECT FROM \(schema).version WHERE version >= \(index + 1)) THEN
                    EXECUTE $sql$ \(migration.sql) $sql$;
                    INSERT INTO \(schema).version VALUES (\(index + 1), '\(migration.name)');
                END IF;
                END $step$;

                """
        }
        do {
            // What a migration has made is for nobody else, either, until somebody is told who may. And what came
            // from another database's dump has numbers of transactions there; what has just got this one's is right.
            let ending = """
                UPDATE \(schema).results SET xact = pg_current_xact_id()
                    WHERE xact >= pg_snapshot_xmax(pg_current_snapshot()) AND xact <> pg_current_xact_id();
                \(FleetSchema.nextLife)
                REVOKE ALL ON ALL TABLES IN SCHEMA \(schema) FROM PUBLIC;
                REVOKE ALL ON ALL FUNCTIONS IN SCHEMA \(schema) FROM PUBLIC;
                COMMIT
                """
            try connection.execute(sql + ending)
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// The rights of a role.
    private static func rights(of role: Role) -> [String] {
        switch role {
        case .reader:
            [
                "SELECT ON records, in_order, batches, tallies, version, nodes, buckets, slices, queue, paused",
                "SELECT (job, batch) ON items", "SELECT ON lives", "EXECUTE ON FUNCTION life()",
                "EXECUTE ON FUNCTION begin_life(text)",
            ]
        case .submitter: ["EXECUTE ON FUNCTION add(text, text, jsonb)"]
        case .node:
            [
                "SELECT ON version, nodes, buckets, queue, paused, items, slices, results, feeds, fed, lives",
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
    ///
    /// - Throws: ``FleetQueueError``
    public func allow(
        reader: String? = nil,
        submitter: String? = nil,
        node: String? = nil
    ) throws(FleetQueueError) {
        for (role, rights) in [
            (reader, Self.rights(of: .reader)), (submitter, Self.rights(of: .submitter)),
            (node, Self.rights(of: .node)),
        ] {
            guard let role else { continue }
            let name =
                "\"" + role.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
                + "\""
            let grants = (["USAGE ON SCHEMA \(schema)"] + rights).map { "GRANT \($0) TO \(name)" }
            try connection.execute(grants.joined(separator: "; "))
        }
    }
}
