/// What people do with the queue.
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
        let steps = FleetSchema.steps(schema: schema)
        // One at a time, and all or nothing.
        var sql = """
            BEGIN;
            SELECT pg_advisory_xact_lock(hashtextextended('facefetch-fleet init \(schema)', 0));
            CREATE SCHEMA IF NOT EXISTS \(schema);
            SET LOCAL search_path = \(schema), pg_temp;
            CREATE TABLE IF NOT EXISTS version (version int NOT NULL);

            """
        for (index, step) in steps.enumerated() {
            sql += """
                DO $step$ BEGIN
                IF NOT EXISTS (SELECT FROM \(schema).version WHERE version >= \(index + 1)) THEN
                    EXECUTE $sql$ \(step) $sql$;
                    INSERT INTO \(schema).version VALUES (\(index + 1));
                END IF;
                END $step$;

                """
        }
        do {
            try connection.execute(sql + "COMMIT")
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

    /// An item to be added.
    public struct NewItem: Hashable, Sendable {
        /// The URL, http or https.
        public var url: String
        /// The name that the document is to get.
        public var name: String?
        /// The SHA-256 that it must have, in hex.
        public var sha256: String?
        /// The priority, from −100 to 100.
        public var priority: Int?
        /// Header fields as a JSON object.
        public var headers: String?

        /// Creates an item with nothing but a URL.
        public init(url: String) { self.url = url }
    }

    /// What became of a batch that was to be added.
    public enum Added: Hashable, Sendable {
        /// It has this number.
        case new(Int64)
        /// It was added before, under the same key.
        case known(Int64)
        /// Its key was used for another batch.
        case keyReused
    }

    /// Adds a batch, which is seen at once and whole, or not at all.
    ///
    /// - Parameters:
    ///   - key: Under a key that is known nothing is added.
    ///   - digest: A digest of the items, to tell whether they are the same.
    ///   - next: Gives the items piece by piece, nil after the last.
    /// - Throws: ``FleetQueueError``, and whatever `next` throws.
    public func add(key: String?, digest: String?, _ next: () throws -> [NewItem]?) throws -> Added {
        // A million rows take their time.
        try connection.execute("SET statement_timeout = 0; \(OverseerStatements.incoming)")
        try connection.execute("BEGIN")
        do {
            guard
                let made = try connection.run([Call(OverseerStatements.begin, [key, digest])])[0].first?
                    .integer(0)
            else {
                let known = try connection.run([Call(OverseerStatements.known, [key, digest])])[0].first
                try connection.execute("ROLLBACK")
                guard let known, known.flag(1), let batch = known.integer(0) else { return .keyReused }
                return .known(batch)
            }
            var place = 0
            try connection.copy("COPY incoming (place, url, name, sha256, priority, headers) FROM STDIN") {
                guard let items = try next() else { return nil }
                var rows: [UInt8] = []
                for item in items {
                    place += 1
                    Self.append("\(place)", UInt8(ascii: "\t"), to: &rows)
                    Self.append(item.url, UInt8(ascii: "\t"), to: &rows)
                    Self.append(item.name, UInt8(ascii: "\t"), to: &rows)
                    Self.append(item.sha256, UInt8(ascii: "\t"), to: &rows)
                    Self.append(item.priority.map { "\($0)" }, UInt8(ascii: "\t"), to: &rows)
                    Self.append(item.headers, UInt8(ascii: "\n"), to: &rows)
                }
                return rows
            }
            _ = try connection.run([
                Call(OverseerStatements.take, ["\(made)"]), Call(OverseerStatements.enqueue, ["\(made)"]),
            ])
            try connection.execute("COMMIT")
            // It is a help, and may fail.
            if place >= Self.many { try? connection.execute("ANALYZE queue; ANALYZE items") }
            return .new(made)
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// From how many items on PostgreSQL is to look at them before it plans.
    private static let many = 10_000

    /// Appends a value as COPY's text format has it, and what stands behind it.
    static func append(_ value: String?, _ end: UInt8, to row: inout [UInt8]) {
        guard let value else {
            row += [UInt8(ascii: "\\"), UInt8(ascii: "N"), end]
            return
        }
        if value.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 < 0x20 }) {
            for byte in value.utf8 {
                switch byte {
                case UInt8(ascii: "\\"): row += [UInt8(ascii: "\\"), byte]
                case UInt8(ascii: "\t"): row += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
                case UInt8(ascii: "\n"): row += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
                case UInt8(ascii: "\r"): row += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
                default: row.append(byte)
                }
            }
        } else {
            row += value.utf8
        }
        row.append(end)
    }

    /// What can be done with a batch.
    public enum Steering: String, CaseIterable, Sendable {
        /// What hasn't ended of it is claimed no more, and what nodes hold of it begins anew later.
        case pause
        /// It is claimed again.
        case resume
        /// What hasn't ended is cancelled.
        case cancel
    }

    /// Steers a batch and returns the number of jobs that it changed; nil if there is no such batch.
    ///
    /// - Throws: ``FleetQueueError``
    public func steer(_ steering: Steering, batch: Int64) throws(FleetQueueError) -> Int? {
        try connection.execute("SET statement_timeout = 0")
        let statement =
            switch steering {
            case .pause: OverseerStatements.pause
            case .resume: OverseerStatements.resume
            case .cancel: OverseerStatements.cancel
            }
        guard try has(batch) else { return nil }
        var attempts = 0
        while true {
            do throws(FleetQueueError) {
                return Int(try connection.run([Call(statement, ["\(batch)"])])[0].first?.integer(0) ?? 0)
            } catch {
                // Where a node's report and this one waited for each other's jobs, the database undoes all of
                // one of them, which is to be asked for again (PostgreSQL 15, 13.3.4 and 13.5).
                attempts += 1
                guard error.kind == .refused(code: "40P01"), attempts < 10 else { throw error }
            }
        }
    }

    /// Forgets batches whose last job ended so long ago, and returns the number of their jobs.
    ///
    /// A few batches at a time, so that no transaction is long. Documents stay where they are.
    ///
    /// - Throws: ``FleetQueueError``
    public func forget(endedBefore age: Duration) throws(FleetQueueError) -> Int {
        try connection.execute("SET statement_timeout = 0")
        var jobs = 0
        while true {
            let values = ["\(age / .seconds(1))", "10"]
            let row = try connection.run([Call(OverseerStatements.forget, values)])[0].first
            guard let row, let batches = row.integer(0), batches > 0 else { return jobs }
            jobs += Int(row.integer(1) ?? 0)
        }
    }

    /// Returns whether there is a batch.
    ///
    /// - Throws: ``FleetQueueError``
    public func has(_ batch: Int64) throws(FleetQueueError) -> Bool {
        try !connection.run([Call(OverseerStatements.batch, ["\(batch)"])])[0].isEmpty
    }

    /// Returns up to a thousand records of a batch as JSON, with their jobs, by ascending number.
    ///
    /// - Throws: ``FleetQueueError``
    public func results(
        of batch: Int64,
        after job: Int64
    ) throws(FleetQueueError) -> [(job: Int64, json: String)] {
        try connection.run([Call(OverseerStatements.results, ["\(batch)", "\(job)", "1000"])])[0]
            .map { ($0.integer(0) ?? 0, $0.text(1) ?? "{}") }
    }

    /// How the fleet stands.
    public struct Status: Hashable, Sendable {
        /// A node.
        public struct Node: Hashable, Sendable {
            /// Its name.
            public var name: String
            /// The seconds until its lease ends; nil if others have taken over.
            public var lease: Double?
            /// Its buckets.
            public var buckets: Int
            /// The jobs that it holds.
            public var jobs: Int
        }

        /// The nodes by name.
        public var nodes: [Node]
        /// The jobs that haven't ended, without those that are paused.
        public var queue: Int
        /// The jobs that are paused.
        public var paused: Int
        /// The jobs that have ended.
        public var results: Int
        /// The jobs with which nodes have ended more often than by chance.
        public var poison: Int
        /// The age of the oldest job's batch, in seconds; nil without one.
        public var oldestSeconds: Double?
        /// The jobs that have ended within the last minute.
        public var lastMinute: Int
    }

    /// Returns how the fleet stands.
    ///
    /// - Throws: ``FleetQueueError``
    public func status() throws(FleetQueueError) -> Status {
        let rows = try connection.run([Call(OverseerStatements.nodes), Call(OverseerStatements.totals)])
        let totals = rows[1].first
        return Status(
            nodes: rows[0].map { row in
                let lease = row.number(1).flatMap { $0.isFinite ? $0 : nil }
                return Status.Node(
                    name: row.text(0) ?? "",
                    lease: lease,
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
}
