extension FleetSchema {
    /// What has become of jobs, in the order in which somebody follows it.
    ///
    /// Numbers of a sequence are given before their transactions are committed, in any order: who has read up to one
    /// may miss a smaller one that comes later. So each record has its transaction, and what is older than every
    /// transaction in progress is whole: what lies below the xmin of a snapshot is over (PostgreSQL 15, 9.26, the
    /// table of a snapshot's components).
    static let results = """
        -- What has become of each job: 1 done, 2 failed, 3 cancelled; written once.
        CREATE TABLE results (
            job bigint PRIMARY KEY,
            batch bigint NOT NULL,
            node int NOT NULL,
            token bigint NOT NULL,
            state smallint NOT NULL CHECK (state BETWEEN 1 AND 3),
            finished_at timestamptz NOT NULL DEFAULT now(),
            bytes bigint,
            sha256 bytea,
            document text,
            error jsonb,
            outcome smallint,
            faces smallint,
            detection jsonb,
            -- What the daemon says of the document beside where it is.
            facts jsonb,
            xact xid8 NOT NULL DEFAULT pg_current_xact_id()
        );
        CREATE INDEX results_by_batch ON results (batch, job);
        CREATE INDEX results_in_order ON results (xact, job);
        -- How fast the fleet is, and what is old. Results come in the order of time, so it takes almost no room.
        CREATE INDEX results_by_time ON results USING brin (finished_at) WITH (pages_per_range = 16);
        CREATE VIEW in_order AS SELECT xact, job, batch, finished_at, node, state FROM results;

        -- What others may read, without header fields.
        CREATE VIEW records AS
            SELECT job, i.batch, i.url, i.name,
                CASE r.state WHEN 1 THEN 'done' WHEN 2 THEN 'failed' WHEN 3 THEN 'cancelled' END AS state,
                r.finished_at, r.bytes, encode(r.sha256, 'hex') AS sha256, n.name AS node, r.document, r.error,
                (ARRAY['counted', 'unreadable', 'crashed', 'timed_out', 'skipped'])[r.outcome + 1] AS outcome,
                r.faces, r.detection, i.folder, i.meta, r.facts, b.created_at
            FROM results r JOIN items i USING (job) LEFT JOIN batches b ON b.batch = i.batch
            LEFT JOIN nodes n ON n.node = r.node;
        """

    /// The places of documents, which stay known when their batches are forgotten.
    ///
    /// Thousands may have the same URL or content, and in an index of kind hash each of them would be the slower the
    /// more there are. A URL itself may be too long for any other index.
    static let contents = """
        CREATE TABLE contents (
            job bigint PRIMARY KEY,
            batch bigint NOT NULL,
            node int NOT NULL,
            url text NOT NULL,
            document text NOT NULL,
            sha256 bytea,
            bytes bigint,
            finished_at timestamptz NOT NULL,
            forgotten_at timestamptz NOT NULL DEFAULT now()
        );
        CREATE INDEX contents_by_url ON contents (hashtextextended(url, 0));
        CREATE INDEX contents_by_sha256 ON contents (sha256);
        """

    /// Counts of what has ended, so that nobody has to read all records to know how many there are.
    ///
    /// Each node counts in rows of its own, and what goes again is counted in rows of nobody: so no report waits for
    /// another.
    static func tallies(_ schema: String) -> String {
        """
        CREATE TABLE tallies (
            batch bigint NOT NULL,
            node int NOT NULL,
            state smallint NOT NULL,
            code text NOT NULL,
            jobs bigint NOT NULL,
            PRIMARY KEY (batch, node, state, code)
        ) WITH (fillfactor = 50);

        CREATE FUNCTION count_results() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(schema), pg_temp AS $$
        BEGIN
            INSERT INTO tallies SELECT batch, node, state, \(code), count(*) FROM ended
                GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
                ON CONFLICT (batch, node, state, code) DO UPDATE SET jobs = tallies.jobs + EXCLUDED.jobs;
            RETURN NULL;
        END $$;
        CREATE TRIGGER count_results AFTER INSERT ON results REFERENCING NEW TABLE AS ended
            FOR EACH STATEMENT EXECUTE FUNCTION count_results();

        -- What is forgotten goes with its batch.
        CREATE FUNCTION uncount_results() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(schema), pg_temp AS $$
        BEGIN
            INSERT INTO tallies SELECT batch, 0, state, \(code), -count(*) FROM gone
                WHERE EXISTS (SELECT FROM batches b WHERE b.batch = gone.batch)
                GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
                ON CONFLICT (batch, node, state, code) DO UPDATE SET jobs = tallies.jobs + EXCLUDED.jobs;
            RETURN NULL;
        END $$;
        CREATE TRIGGER uncount_results AFTER DELETE ON results REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION uncount_results();
        """
    }

    /// The code that a record is counted under.
    private static let code =
        "CASE state WHEN 2 THEN coalesce(left(error ->> 'code', 100), 'unknown') ELSE '' END"
}
