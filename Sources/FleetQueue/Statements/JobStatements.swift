/// The statements by which jobs are claimed and what has become of them is recorded.
enum JobStatements {
    /// $1 node, $2 incarnation, $3 most of one bucket, $4 most in all, $5 whether it is for one that goes alone,
    /// $6 buckets of which less is to be claimed, $7 how much less.
    ///
    /// It follows ``NodeStatements/beat`` in one transaction: that takes the lock on the node's row which a
    /// takeover needs, too, and this sees what has been committed until then.
    static let claim = Statement(
        name: "claim",
        sql: """
            WITH t AS (SELECT nextval('tokens') AS token),
                 own AS (SELECT bucket, greatest(0, $3::int - coalesce(h.jobs, 0)) AS room
                     FROM buckets LEFT JOIN unnest($6::smallint[], $7::int[]) AS h(bucket, jobs) USING (bucket)
                     WHERE node = $1 AND NOT draining AND EXISTS (
                         SELECT FROM nodes WHERE node = $1 AND incarnation = $2 AND expires_at > now())
                     ORDER BY random()),
                 n AS (SELECT q.ctid AS at FROM own CROSS JOIN LATERAL (
                         SELECT ctid FROM queue
                         WHERE queue.bucket = own.bucket AND queue.node IS NULL AND not_before <= now()
                             AND (takeovers >= 3) = $5::boolean AND takeovers < 5
                         ORDER BY priority DESC, job LIMIT own.room FOR UPDATE SKIP LOCKED) q
                     LIMIT $4),
                 l AS (UPDATE queue SET token = t.token, node = $1 FROM t, n WHERE queue.ctid = n.at
                     RETURNING queue.job, queue.token, queue.takeovers, queue.bucket)
            SELECT l.job, l.token, l.takeovers, i.url, i.name, encode(i.sha256, 'hex'), i.priority, i.headers,
                l.bucket
            FROM l JOIN items i USING (job) ORDER BY l.job
            """
    )

    /// $1 node: what is marked as its own.
    static let held = Statement(
        name: "held",
        sql: """
            SELECT q.job, q.token, q.takeovers, i.url, i.name, encode(i.sha256, 'hex'), i.priority, i.headers,
                q.bucket
            FROM buckets b JOIN queue q USING (bucket) JOIN items i USING (job)
            WHERE b.node = $1 AND q.node = $1 ORDER BY q.token, q.job
            """
    )

    /// $1 to $10 the records, an array each; $11 node, $12 incarnation, $13 the last event that they contain.
    ///
    /// The token is the fence: of a job that others have taken over, nothing is written. Repeated, it changes
    /// nothing.
    static let report = Statement(
        name: "report",
        sql: """
            WITH d AS (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::bigint[], $5::text[],
                         $6::text[], $7::text[], $8::smallint[], $9::smallint[], $10::text[])
                     AS d(job, token, state, bytes, sha256, document, error, outcome, faces, detection)),
                 gone AS (DELETE FROM queue q USING d WHERE q.job = d.job AND q.token = d.token
                     RETURNING q.job, q.token),
                 kept AS (INSERT INTO results (job, batch, node, token, state, bytes, sha256, document, error, outcome,
                         faces, detection)
                     SELECT d.job, i.batch, $11, d.token, d.state, d.bytes, decode(d.sha256, 'hex'), d.document,
                         d.error::jsonb, d.outcome, d.faces, d.detection::jsonb
                     FROM gone JOIN d USING (job, token) JOIN items i USING (job) RETURNING job, token),
                 bare AS (UPDATE items SET headers = NULL FROM gone
                     WHERE items.job = gone.job AND items.headers IS NOT NULL),
                 told AS (UPDATE nodes SET event = greatest(event, $13)
                     WHERE node = $11 AND incarnation = $12)
            SELECT job, token FROM kept
            """
    )

    /// $1 jobs, $2 tokens: those that are no longer marked so, because others own them, or people have
    /// paused or cancelled them.
    static let withdrawn = Statement(
        name: "withdrawn",
        sql: """
            SELECT d.job, d.token FROM unnest($1::bigint[], $2::bigint[]) AS d(job, token)
            WHERE NOT EXISTS (SELECT FROM queue q WHERE q.job = d.job AND q.token = d.token)
            """
    )

    /// $1 node: what it holds of buckets that it is about to give away.
    static let draining = Statement(
        name: "draining",
        sql: """
            SELECT q.job, q.token FROM buckets b JOIN queue q USING (bucket)
            WHERE b.node = $1 AND b.draining AND q.node = $1
            """
    )

    /// $1 jobs, $2 tokens, $3 how much more suspicious that makes each.
    static let giveBack = Statement(
        name: "give_back",
        sql: """
            UPDATE queue q SET node = NULL, token = NULL, takeovers = takeovers + d.blame
            FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS d(job, token, blame)
            WHERE q.job = d.job AND q.token = d.token
            """
    )

    /// $1 jobs, $2 tokens: those that stand in the record under these tokens.
    static let recorded = Statement(
        name: "recorded",
        sql: """
            SELECT r.job, r.token FROM unnest($1::bigint[], $2::bigint[]) AS d(job, token)
            JOIN results r ON r.job = d.job AND r.token = d.token
            """
    )

    /// $1 node, $2 incarnation: jobs in its buckets that have ended too many nodes have failed.
    static let condemn = Statement(
        name: "condemn",
        sql: """
            WITH gone AS (DELETE FROM queue q USING buckets b
                     WHERE b.node = $1 AND q.bucket = b.bucket AND q.takeovers >= 5
                         AND q.node IS NULL
                         AND EXISTS (SELECT FROM nodes WHERE node = $1 AND incarnation = $2 AND expires_at > now())
                     RETURNING q.job, q.takeovers),
                 bare AS (UPDATE items SET headers = NULL FROM gone
                     WHERE items.job = gone.job AND items.headers IS NOT NULL)
            INSERT INTO results (job, batch, node, token, state, error)
                SELECT job, i.batch, $1, 0, 2, jsonb_build_object('code', 'poison', 'message',
                    gone.takeovers || ' nodes have ended while they had it')
                FROM gone JOIN items i USING (job)
            """
    )
}
