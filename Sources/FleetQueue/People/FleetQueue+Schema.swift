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
            // What a migration has made is for nobody else, either, until somebody is told who may.
            let ending = """
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

    /// Lets a role read records, without header fields, or add jobs by SQL.
    ///
    /// - Throws: ``FleetQueueError``
    public func allow(reader: String? = nil, submitter: String? = nil) throws(FleetQueueError) {
        for (role, right) in [
            (reader, "SELECT ON records"), (submitter, "EXECUTE ON FUNCTION add(text, text, jsonb)"),
        ] {
            guard let role else { continue }
            let name =
                "\"" + role.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
                + "\""
            try connection.execute("GRANT USAGE ON SCHEMA \(schema) TO \(name); GRANT \(right) TO \(name)")
        }
    }
}
