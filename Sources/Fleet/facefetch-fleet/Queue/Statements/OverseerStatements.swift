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

    /// $1 batch.
    ///
    /// What nodes hold goes, too: they ask now and then, and when they are told, what of it is still theirs.
    static let pause = Statement(
        name: "pause",
        sql: """
            WITH gone AS (DELETE FROM queue q USING items i
                     WHERE i.batch = $1 AND q.job = i.job
                     RETURNING q.job, q.bucket, q.turn, q.not_before, q.takeovers, q.blamed_at),
                 kept AS (INSERT INTO paused SELECT * FROM gone RETURNING 1)
            SELECT count(*), pg_notify('\(FleetSchema.channel)', '') FROM kept
            """
    )

    /// $1 batch.
    static let resume = Statement(
        name: "resume",
        sql: """
            WITH gone AS (DELETE FROM paused p USING items i WHERE i.batch = $1 AND p.job = i.job
                     RETURNING p.job, p.bucket, p.turn, p.not_before, p.takeovers, p.blamed_at),
                 kept AS (INSERT INTO queue (job, bucket, turn, not_before, takeovers, blamed_at) SELECT * FROM gone
                     RETURNING job, turn)
            SELECT count(*), \(FleetSchema.announcement) FROM kept
            """
    )

    /// $1 batch.
    ///
    /// As with a pause, nodes give up what they hold.
    static let cancel = Statement(
        name: "cancel",
        sql: """
            WITH queued AS (DELETE FROM queue q USING items i WHERE i.batch = $1 AND q.job = i.job
                     RETURNING q.job, coalesce(q.node, 0) AS node),
                 held AS (DELETE FROM paused p USING items i WHERE i.batch = $1 AND p.job = i.job RETURNING p.job),
                 gone AS (SELECT job, node FROM queued UNION ALL SELECT job, 0 FROM held),
                 bare AS (UPDATE items SET headers = NULL, lost_headers = true FROM gone
                     WHERE items.job = gone.job AND items.headers IS NOT NULL),
                 kept AS (INSERT INTO results (job, batch, node, token, state) SELECT job, $1, node, 0, 3 FROM gone
                     RETURNING 1)
            SELECT count(*), pg_notify('\(FleetSchema.channel)', '') FROM kept
            """
    )

    /// $1 jobs: cancels those that haven't ended.
    static let cancelJobs = Statement(
        name: "cancel_jobs",
        sql: """
            WITH queued AS (DELETE FROM queue q WHERE q.job = ANY($1::bigint[])
                     RETURNING q.job, coalesce(q.node, 0) AS node),
                 held AS (DELETE FROM paused p WHERE p.job = ANY($1::bigint[]) RETURNING p.job),
                 gone AS (SELECT job, node FROM queued UNION ALL SELECT job, 0 FROM held),
                 bare AS (UPDATE items SET headers = NULL, lost_headers = true FROM gone
                     WHERE items.job = gone.job AND items.headers IS NOT NULL),
                 kept AS (INSERT INTO results (job, batch, node, token, state)
                     SELECT gone.job, i.batch, gone.node, 0, 3 FROM gone JOIN items i USING (job) RETURNING 1)
            SELECT count(*), pg_notify('\(FleetSchema.channel)', '') FROM kept
            """
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

    static let nodes = Statement(
        name: "nodes",
        sql: """
            SELECT n.name, CASE WHEN expires_at <> '-infinity' THEN extract(epoch FROM expires_at - now()) END,
                (SELECT count(*) FROM buckets b WHERE b.node = n.node), coalesce(h.jobs, 0),
                to_char(gone_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), n.resting
            FROM nodes n LEFT JOIN (SELECT s.node, count(*) AS jobs
                FROM slices s CROSS JOIN LATERAL unnest(s.jobs) AS j(job)
                CROSS JOIN LATERAL (SELECT FROM queue q WHERE q.job = j.job AND q.token = s.token LIMIT 1) q
                GROUP BY s.node) h
                USING (node) WHERE n.removed_at IS NULL ORDER BY n.name
            """
    )

    /// How many there are of all, by counters and not by counting.
    static let totals = Statement(
        name: "totals",
        sql: """
            SELECT b.items - t.jobs - p.jobs, p.jobs, t.jobs,
                (SELECT count(*) FROM queue WHERE takeovers >= 3) + t.poison,
                (SELECT extract(epoch FROM now() - b.created_at)
                    FROM (SELECT job FROM queue ORDER BY job LIMIT 1) q JOIN items i USING (job)
                    JOIN batches b USING (batch)),
                (SELECT count(*) FROM in_order WHERE finished_at > now() - interval '1 min')
            FROM (SELECT coalesce(sum(items), 0)::bigint AS items FROM batches) AS b,
                (SELECT count(*) AS jobs FROM paused) AS p,
                (SELECT coalesce(sum(jobs), 0)::bigint AS jobs,
                     coalesce(sum(jobs) FILTER (WHERE state = 2 AND code = 'poison'), 0)::bigint AS poison
                     FROM tallies) AS t
            """
    )
}
