/// The statements by which people look at batches and jobs, and have them tried again.
enum BatchStatements {
    /// $1 batch, $2 the states that are tried again.
    ///
    /// Queues jobs of a batch again that have ended, but none that had header fields, which are gone.
    static let retry = Statement(
        name: "retry",
        sql: """
            WITH old AS (SELECT r.job, i.bucket, i.priority, i.lost_headers IS TRUE AS bare
                     FROM results r JOIN items i USING (job)
                     WHERE r.batch = $1 AND r.state = ANY($2::smallint[]) FOR UPDATE OF r),
                 gone AS (DELETE FROM results r USING old WHERE r.job = old.job AND NOT old.bare RETURNING r.job),
                 back AS (INSERT INTO queue (job, bucket, priority)
                     SELECT job, bucket, priority FROM old JOIN gone USING (job) ORDER BY job RETURNING 1)
            SELECT (SELECT count(*) FROM back), (SELECT count(*) FROM old WHERE bare),
                pg_notify('\(FleetSchema.channel)', '')
            """
    )

    /// $1 how many of the latest: each as JSON, and its number, key, items, and how those ended.
    static let list = Statement(
        name: "batches",
        sql: """
            WITH b AS (SELECT * FROM batches ORDER BY batch DESC LIMIT $1),
                 r AS (SELECT batch, state, coalesce(error ->> 'code', 'unknown') AS code, count(*) AS jobs
                     FROM results WHERE batch IN (SELECT batch FROM b) GROUP BY 1, 2, 3),
                 ended AS (SELECT batch, sum(jobs) FILTER (WHERE state = 1) AS done,
                         sum(jobs) FILTER (WHERE state = 2) AS failed, sum(jobs) FILTER (WHERE state = 3) AS cancelled,
                         jsonb_object_agg(code, jobs) FILTER (WHERE state = 2) AS failures
                     FROM r GROUP BY batch),
                 shown AS (SELECT b.batch, b.key, b.created_at, b.submitted_by, b.items, coalesce(done, 0) AS done,
                         coalesce(failed, 0) AS failed, coalesce(cancelled, 0) AS cancelled,
                         coalesce(failures, '{}') AS failures
                     FROM b LEFT JOIN ended USING (batch))
            SELECT row_to_json(shown)::text, batch, key, items, done, failed, cancelled,
                (SELECT string_agg(code || ' ' || jobs, ', ' ORDER BY jobs DESC, code) FROM r
                    WHERE r.batch = shown.batch AND r.state = 2)
            FROM shown ORDER BY batch DESC
            """
    )

    /// $1 job: all that is known of it, without header fields, as JSON.
    static let show = Statement(
        name: "show",
        sql: """
            SELECT row_to_json(shown)::text FROM (
                SELECT i.job, i.batch, i.url, i.name, encode(i.sha256, 'hex') AS expected_sha256, i.priority,
                    coalesce(r.state, CASE WHEN p.job IS NOT NULL THEN 'paused' WHEN q.node IS NOT NULL THEN 'held'
                        ELSE 'queued' END) AS state,
                    coalesce(r.node, n.name) AS node, coalesce(q.takeovers, p.takeovers) AS blame,
                    CASE WHEN q.not_before > now() THEN q.not_before END AS not_before,
                    r.finished_at, r.bytes, r.sha256, r.document, r.error, r.outcome, r.faces, r.detection
                FROM items i LEFT JOIN queue q USING (job) LEFT JOIN paused p USING (job)
                LEFT JOIN nodes n ON n.node = q.node LEFT JOIN records r USING (job)
                WHERE i.job = $1) AS shown
            """
    )
}
