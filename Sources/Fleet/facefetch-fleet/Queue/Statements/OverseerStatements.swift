/// The statements of people: adding, steering, and looking.
enum OverseerStatements {
    /// $1 key, $2 digest.
    static let begin = Statement(
        name: "begin_batch",
        sql: """
            INSERT INTO batches (key, body_digest) VALUES ($1, $2::text::bytea)
            ON CONFLICT (key) DO NOTHING RETURNING batch
            """
    )

    /// $1 key, $2 digest.
    static let known = Statement(
        name: "known_batch",
        sql: "SELECT batch, body_digest IS NOT DISTINCT FROM $2::text::bytea FROM batches WHERE key = $1"
    )

    /// The table that rows are copied to before they become items; only this connection has it.
    static let incoming = """
        CREATE TEMPORARY TABLE IF NOT EXISTS incoming (
            place bigint, url text, name text, sha256 text, priority smallint, headers jsonb,
            folder text, meta jsonb, host text GENERATED ALWAYS AS (host(url)) STORED
        );
        TRUNCATE incoming
        """

    static let copyIncoming =
        "COPY incoming (place, url, name, sha256, priority, headers, folder, meta) FROM STDIN"

    /// $1 batch.
    ///
    /// A list has few hosts beside its items, so a bucket is computed once for each.
    static let take = Statement(
        name: "take_incoming",
        sql: """
            WITH known AS MATERIALIZED (
                SELECT host, coalesce(width, 1) AS width, bucket(host, 0) AS bucket
                FROM (SELECT DISTINCT host FROM incoming) AS listed LEFT JOIN hosts USING (host))
            INSERT INTO items (job, batch, bucket, priority, url, name, sha256, headers, folder,
                    meta)
                SELECT job, $1, CASE WHEN width > 1 THEN bucket(host, job % width) ELSE bucket END, priority, url, name,
                    sha256, headers, folder, meta
                FROM (
                    SELECT nextval('jobs') AS job, host, url, name, decode(sha256, 'hex') AS sha256,
                        coalesce(priority, 0::smallint) AS priority, headers, folder, meta
                    FROM incoming ORDER BY place
                ) AS listed LEFT JOIN known USING (host)
            """
    )

    /// Leaves out what comes twice, what a job has that has neither failed nor been cancelled, and what there was a
    /// document of before its batch was forgotten.
    ///
    /// Whoever does so at the same time is waited for, so that their items are known.
    static let dropKnown = """
        ANALYZE incoming;
        SELECT pg_advisory_xact_lock(hashtextextended('facefetch-fleet add ' || current_schema(), 0));
        DELETE FROM incoming WHERE place IN (SELECT place FROM (
            SELECT place, row_number() OVER (PARTITION BY url ORDER BY place) AS number FROM incoming) AS n
            WHERE number > 1);
        DELETE FROM incoming n WHERE EXISTS (SELECT FROM items i LEFT JOIN results r USING (job)
            WHERE \(same("i.url", "n.url")) AND (r.state IS NULL OR r.state = 1));
        DELETE FROM incoming n WHERE EXISTS (SELECT FROM contents c
            WHERE \(same("c.url", bareURL("n.url"))))
        """

    /// An expression of a URL without user name and password.
    static func bareURL(_ url: String) -> String {
        "regexp_replace(\(url), '^([A-Za-z]+://)[^/?#]*@', '\\1')"
    }

    /// A condition that two URLs are the same, for which the indexes of URLs are made.
    static func same(_ first: String, _ second: String) -> String {
        "hashtextextended(\(first), 0) = hashtextextended(\(second), 0) AND \(first) = \(second)"
    }

    /// The number of rows that were copied, and not left out.
    static let incomingCount = Statement(name: "incoming_count", sql: "SELECT count(*) FROM incoming")

    /// $1 batch.
    static let enqueue = Statement(name: "enqueue", sql: "SELECT enqueue($1)")

    /// $1 batch.
    static let batch = Statement(name: "batch", sql: "SELECT 1 FROM batches WHERE batch = $1")

    /// $1 jobs: those that there aren't.
    static let unknownJobs = Statement(
        name: "unknown_jobs",
        sql: """
            SELECT job FROM unnest($1::bigint[]) AS j(job) WHERE NOT EXISTS (SELECT FROM items i WHERE i.job = j.job)
            ORDER BY job LIMIT 1
            """
    )

    /// $1 names of nodes: those that there aren't.
    static let unknownNodes = Statement(
        name: "unknown_nodes",
        sql:
            "SELECT name FROM unnest($1::text[]) AS n(name) WHERE name NOT IN (SELECT name FROM nodes) LIMIT 1"
    )

    /// $1 batch, $2 the last job seen, $3 how many.
    static let results = Statement(
        name: "results",
        sql: """
            SELECT job, row_to_json(r)::text FROM records r WHERE batch = $1 AND job > $2 ORDER BY job LIMIT $3
            """
    )

    /// A lock for whoever forgets what has ended, or has it tried again: who waited for the other has to see what
    /// that has done.
    static let endedLock = Statement(
        name: "lock_ended",
        sql: "SELECT pg_advisory_xact_lock(hashtextextended('facefetch-fleet ended ' || current_schema(), 0))"
    )

    /// $1 seconds, $2 how many batches at most, $3 whether it stays known where documents are.
    ///
    /// Forgets batches whose last job has ended that long ago, with all else that is known of them. What is queued or
    /// paused has no result, so its batch stays.
    static let forget = Statement(
        name: "forget",
        sql: """
            WITH old AS (SELECT batch FROM batches b
                     WHERE created_at < now() - $1::float * interval '1 s'
                         AND NOT EXISTS (SELECT FROM items i LEFT JOIN results r USING (job)
                             WHERE i.batch = b.batch
                                 AND (r.job IS NULL OR r.finished_at >= now() - $1::float * interval '1 s'))
                     ORDER BY batch LIMIT $2 FOR UPDATE),
                 kept AS (INSERT INTO contents (job, batch, node, url, document, sha256, bytes, finished_at)
                     SELECT r.job, r.batch, r.node, \(bareURL("i.url")), r.document, r.sha256, r.bytes, r.finished_at
                     FROM old JOIN results r USING (batch) JOIN items i ON i.job = r.job
                     WHERE $3::boolean AND r.document IS NOT NULL),
                 counted AS (DELETE FROM tallies t USING old WHERE t.batch = old.batch),
                 ended AS (DELETE FROM results r USING old WHERE r.batch = old.batch),
                 wanted AS (DELETE FROM items i USING old WHERE i.batch = old.batch RETURNING 1),
                 gone AS (DELETE FROM batches b USING old WHERE b.batch = old.batch RETURNING 1)
            SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM wanted)
            """
    )

    /// $1 seconds: forgets also where documents of jobs are that ended so long ago.
    static let forgetContents = Statement(
        name: "forget_contents",
        sql: "DELETE FROM contents WHERE finished_at < now() - $1::float * interval '1 s'"
    )
}
