/// The statements by which people look at batches and jobs.
enum BatchStatements {
    /// $1 how many of the latest: each as JSON, and its number, key, items, and how those ended.
    static let list = Statement(
        name: "batches",
        sql: """
            WITH b AS (SELECT * FROM batches ORDER BY batch DESC LIMIT $1),
                 r AS (SELECT batch, state, code, sum(jobs)::bigint AS jobs FROM tallies
                     WHERE batch IN (SELECT batch FROM b) GROUP BY 1, 2, 3 HAVING sum(jobs) > 0),
                 ended AS (SELECT batch, sum(jobs) FILTER (WHERE state = 1) AS done,
                         sum(jobs) FILTER (WHERE state = 2) AS failed, sum(jobs) FILTER (WHERE state = 3) AS cancelled,
                         jsonb_object_agg(code, jobs) FILTER (WHERE state = 2) AS failures
                     FROM r GROUP BY batch),
                 recent AS (SELECT batch, count(*) AS jobs FROM in_order WHERE \(StatusStatements.isRecent)
                     GROUP BY batch),
                 shown AS (SELECT b.batch, b.key, b.source, b.created_at, b.submitted_by, b.items, coalesce(done, 0) AS done,
                         coalesce(failed, 0) AS failed, coalesce(cancelled, 0) AS cancelled,
                         coalesce(failures, '{}') AS failures, coalesce(recent.jobs, 0) AS last_minute
                     FROM b LEFT JOIN ended USING (batch) LEFT JOIN recent USING (batch))
            SELECT row_to_json(shown)::text, batch, key, items, done, failed, cancelled,
                (SELECT string_agg(code || ' ' || jobs, ', ' ORDER BY jobs DESC, code) FROM r
                    WHERE r.batch = shown.batch AND r.state = 2), last_minute, source
            FROM shown ORDER BY batch DESC
            """
    )

    /// $1 job: all that is known of it, without header fields, as JSON.
    static let show = Statement(
        name: "show",
        sql: """
            SELECT row_to_json(shown)::text FROM (
                SELECT i.job, i.batch, i.url, i.name, i.folder, i.meta, encode(i.sha256, 'hex') AS expected_sha256,
                    coalesce(\(FleetSchema.priority("q")), \(FleetSchema.priority("p")), i.priority) AS priority,
                    coalesce(r.state, CASE WHEN p.job IS NOT NULL THEN 'paused' WHEN q.node IS NOT NULL THEN 'held'
                        ELSE 'queued' END) AS state,
                    coalesce(r.node, n.name) AS node, coalesce(q.takeovers, p.takeovers) AS blame,
                    CASE WHEN q.not_before > now() THEN q.not_before END AS not_before,
                    r.finished_at, r.bytes, r.sha256, r.document, r.error, r.outcome, r.faces, r.detection, r.facts
                FROM items i LEFT JOIN queue q USING (job) LEFT JOIN paused p USING (job)
                LEFT JOIN nodes n ON n.node = q.node LEFT JOIN records r USING (job)
                WHERE i.job = $1) AS shown
            """
    )

    /// Returns the call that shows the jobs of a page by ascending number.
    static func jobs(_ page: JobQuery) -> Call {
        let sql = """
            WITH page AS MATERIALIZED (\(page.sql))
            SELECT job, row_to_json(s)::text, state, node, error ->> 'code', url FROM (
                SELECT i.job, i.batch, i.url, i.name, i.folder,
                    CASE WHEN r.job IS NOT NULL THEN (ARRAY['done', 'failed', 'cancelled'])[r.state]
                        WHEN p.job IS NOT NULL THEN 'paused' WHEN q.node IS NOT NULL THEN 'held' ELSE 'queued' END AS state,
                    n.name AS node, r.finished_at, r.document, r.error
                FROM page JOIN items i USING (job) LEFT JOIN queue q ON q.job = i.job
                LEFT JOIN paused p ON p.job = i.job LEFT JOIN results r ON r.job = i.job
                LEFT JOIN nodes n ON n.node = coalesce(r.node, q.node)) AS s
            ORDER BY job
            """
        return SteeringStatements.call("jobs", sql, page)
    }

    /// $1 the transaction and $2 the job of the last record seen, $3 a batch or null, $4 how many, $5 whether nobody
    /// goes on from here later.
    ///
    /// Otherwise, of what is younger than a transaction in progress nothing is shown: more might come before it.
    private static let page = """
        WITH page AS (SELECT xact, job FROM in_order
            WHERE (xact < pg_snapshot_xmin(pg_current_snapshot()) OR $5::boolean)
                AND (xact, job) > ($1::xid8, $2::bigint) AND ($3::bigint IS NULL OR batch = $3)
            ORDER BY xact, job LIMIT $4)
        """

    /// Records in the order in which they can be followed.
    static let follow = Statement(
        name: "follow",
        sql: """
            \(page) SELECT page.xact::text, r.job, row_to_json(r)::text, (\(LifeStatements.current))
            FROM page JOIN records r USING (job) ORDER BY page.xact, r.job
            """
    )

    /// The same as jobs in the form of a daemon's.
    static let export = Statement(
        name: "export",
        sql: """
            \(page) SELECT page.xact::text, r.job, json_build_object('id', r.job, 'batch', r.batch, 'state', r.state,
                'ending', r.state, 'name', coalesce(r.facts ->> 'name', r.name,
                    nullif(regexp_replace(split_part(split_part(r.url, '?', 1), '#', 1), '^.*/', ''), ''), 'index'),
                'folder', coalesce(r.facts ->> 'folder', r.folder), 'path', r.document, 'url', r.url,
                'bytes', coalesce(r.bytes, 0), 'sha256', r.sha256, 'meta', r.meta,
                'created_at', coalesce(\(time("r.created_at")), ''), 'finished_at', \(time("r.finished_at")),
                'response', r.facts -> 'response', 'error', r.error, 'detection', r.detection, 'node', r.node)::text,
                (\(LifeStatements.current))
            FROM page JOIN records r USING (job) ORDER BY page.xact, r.job
            """
    )

    /// An expression of a time as the daemon writes it.
    private static func time(_ column: String) -> String {
        "to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
    }

    private static let documents = """
        SELECT row_to_json(f)::text FROM (
            SELECT i.job, i.batch, i.url, r.document, encode(r.sha256, 'hex') AS sha256, r.bytes, n.name AS node,
                r.finished_at, NULL::timestamptz AS forgotten_at
            FROM results r JOIN items i ON i.job = r.job LEFT JOIN nodes n ON n.node = r.node
            WHERE r.document IS NOT NULL AND
        """
    private static let forgotten = """
            UNION ALL
            SELECT c.job, c.batch, c.url, c.document, encode(c.sha256, 'hex'), c.bytes, n.name, c.finished_at,
                c.forgotten_at
            FROM contents c LEFT JOIN nodes n ON n.node = c.node WHERE
        """

    /// $1 a URL: documents that came from it, also of batches that are forgotten.
    static let findURL = Statement(
        name: "find_url",
        sql: """
            \(documents) \(OverseerStatements.same("i.url", "$1::text"))
            \(forgotten) \(OverseerStatements.same("c.url", OverseerStatements.bareURL("$1::text")))) AS f
            ORDER BY f.job
            """
    )

    /// $1 a SHA-256 in hex.
    static let findHash = Statement(
        name: "find_hash",
        sql:
            "\(documents) r.sha256 = decode($1, 'hex') \(forgotten) c.sha256 = decode($1, 'hex')) AS f ORDER BY f.job"
    )
}
