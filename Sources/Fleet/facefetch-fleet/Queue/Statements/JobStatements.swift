import FleetCore

/// The statements by which nodes keep what they have claimed, and record what has become of it.
enum JobStatements {
    /// A table expression of what a node holds, as `held (job, token, …)` of the queue.
    private static let ofNode = """
        slices s CROSS JOIN LATERAL unnest(s.jobs) AS j(job) JOIN queue q ON q.job = j.job AND q.token = s.token
        """

    /// $1 node: what is marked as its own.
    static let held = Statement(
        name: "held",
        sql: """
            SELECT q.job, q.token, q.takeovers, i.url, i.name, encode(i.sha256, 'hex'),
                \(FleetSchema.priority("q")), i.headers, q.bucket, i.folder, i.meta, s.fleet
            FROM \(ofNode) JOIN items i ON i.job = q.job
            WHERE s.node = $1 ORDER BY q.token, q.job
            """
    )

    /// $1 node: slices of which nothing is held any more.
    static let prune = Statement(
        name: "prune",
        sql: """
            DELETE FROM slices s WHERE s.node = $1 AND NOT EXISTS (
                SELECT FROM unnest(s.jobs) AS j(job) JOIN queue q ON q.job = j.job AND q.token = s.token)
            """
    )

    /// $1 node, $2 slices that have ended.
    static let finish = Statement(
        name: "finish",
        sql: "DELETE FROM slices WHERE node = $1 AND token = ANY($2::bigint[])"
    )

    /// $1 jobs, $2 tokens, $3 the seconds for which each waits for its next try.
    ///
    /// Whoever takes over knows from it what was not under way, and doesn't ask the host sooner.
    static let wait = Statement(
        name: "wait",
        sql: """
            UPDATE queue q SET not_before = now() + d.seconds * interval '1 s'
            FROM unnest($1::bigint[], $2::bigint[], $3::float[]) AS d(job, token, seconds)
            WHERE q.job = d.job AND q.token = d.token
                AND q.not_before < now() + (d.seconds - 1) * interval '1 s'
            """
    )

    /// An expression of a job's blame with one more for now, of which time has forgiven some.
    private static let blamedAgain = """
        1 + greatest(0, takeovers - floor(extract(epoch FROM now() - coalesce(blamed_at, now()))
            / \(Poison.forgiveness / .seconds(1))))
        """

    /// $1 jobs, $2 tokens of what a daemon had when it died, which its node goes on with.
    ///
    /// Blames what doesn't wait, as ``free`` does; the jobs that are suspected then.
    static let blame = Statement(
        name: "blame",
        sql: """
            WITH begun AS (SELECT q.job, q.token, q.takeovers
                     FROM unnest($1::bigint[], $2::bigint[]) AS d(job, token)
                     JOIN queue q ON q.job = d.job AND q.token = d.token AND q.not_before <= now() FOR UPDATE OF q),
                 least AS (SELECT CASE WHEN bool_or(takeovers >= \(Poison.suspectFrom))
                     THEN \(Poison.suspectFrom) ELSE 0 END AS blame FROM begun),
                 hit AS (UPDATE queue q SET takeovers = \(blamedAgain), blamed_at = now()
                     FROM (SELECT job AS which FROM begun, least WHERE begun.takeovers >= least.blame) AS b
                     WHERE q.job = b.which RETURNING q.job, q.token, q.takeovers)
            SELECT job, token FROM hit WHERE takeovers >= \(Poison.suspectFrom)
            """
    )

    /// Frees what dead nodes held, and blames what was under way there: see ``Poison/blamed(of:)``.
    static let free = Statement(
        name: "free",
        sql: """
            WITH dead AS (SELECT s.token, s.node, s.jobs, n.gone_at FROM slices s JOIN nodes n USING (node)
                     WHERE n.expires_at = '-infinity' FOR UPDATE OF s),
                 lost AS (SELECT q.job, q.token, d.node, q.takeovers,
                         q.not_before <= d.gone_at AS begun
                     FROM dead d CROSS JOIN LATERAL unnest(d.jobs) AS j(job)
                     JOIN queue q ON q.job = j.job AND q.token = d.token),
                 least AS (SELECT node, CASE WHEN bool_or(begun AND takeovers >= \(Poison.suspectFrom))
                         THEN \(Poison.suspectFrom) ELSE 0 END AS blame FROM lost GROUP BY node),
                 judged AS (SELECT job, token, begun AND takeovers >= blame AS blamed FROM lost JOIN least USING (node)),
                 freed AS (UPDATE queue q SET node = NULL, token = NULL,
                         takeovers = CASE WHEN NOT blamed THEN takeovers ELSE \(blamedAgain) END,
                         blamed_at = CASE WHEN blamed THEN now() ELSE blamed_at END
                     FROM judged j WHERE q.job = j.job AND q.token = j.token RETURNING 1),
                 gone AS (DELETE FROM slices s USING dead d WHERE s.token = d.token)
            SELECT count(*) FROM freed
            """
    )

    /// $1 to $10 and $14 the records, an array each; $11 node, $12 incarnation, $13 the last event that they contain.
    ///
    /// The token is the fence: of a job that others have taken over, nothing is written. Repeated, it changes
    /// nothing.
    static let report = Statement(
        name: "report",
        sql: """
            WITH d AS (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::bigint[], $5::text[],
                         $6::text[], $7::text[], $8::smallint[], $9::smallint[], $10::text[], $14::text[])
                     AS d(job, token, state, bytes, sha256, document, error, outcome, faces, detection, facts)),
                 gone AS (DELETE FROM queue q USING d WHERE q.job = d.job AND q.token = d.token
                     RETURNING q.job, q.token),
                 wanted AS MATERIALIZED (SELECT gone.job, gone.token, i.batch, i.headers IS NOT NULL AS has_headers
                     FROM gone JOIN items i USING (job)),
                 kept AS (INSERT INTO results (job, batch, node, token, state, bytes, sha256, document, error, outcome,
                         faces, detection, facts)
                     SELECT d.job, w.batch, $11, d.token, d.state, d.bytes, decode(d.sha256, 'hex'), d.document,
                         d.error::jsonb, d.outcome, d.faces, d.detection::jsonb, d.facts::jsonb
                     FROM wanted w JOIN d USING (job, token) RETURNING job, token),
                 bare AS (UPDATE items i SET headers = NULL, lost_headers = true FROM wanted w
                     WHERE w.has_headers AND i.job = w.job),
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
            SELECT q.job, q.token, s.fleet FROM \(ofNode) JOIN buckets b ON b.bucket = q.bucket
            WHERE s.node = $1 AND b.node = $1 AND b.draining
            """
    )

    /// $1 jobs, $2 tokens, $3 how much more suspicious that makes each: the places where they wait again.
    static let giveBack = Statement(
        name: "give_back",
        sql: """
            UPDATE queue q SET node = NULL, token = NULL, takeovers = takeovers + d.blame,
                turn = \(FleetSchema.turnAgain),
                blamed_at = CASE WHEN d.blame > 0 THEN now() ELSE blamed_at END
            FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS d(job, token, blame)
            WHERE q.job = d.job AND q.token = d.token
            RETURNING q.bucket, q.turn, q.job
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

    /// $1 lives, $2 jobs, $3 tokens, $4 addresses of their documents: the place in the list of each of which something
    /// is known, and whether the record names the document, or there is something else in its place.
    ///
    /// Numbers of a life that is over may have come again for something else. So of these only slices count that are
    /// known to be of that life, and addresses. Where a batch is forgotten, nobody knows what was recorded of a job.
    static let standing = Statement(
        name: "standing",
        sql: """
            SELECT * FROM (
                SELECT d.place, CASE
                    WHEN r.document = d.document OR d.known AND (r.token = d.token OR c.job IS NOT NULL) THEN 'recorded'
                    WHEN d.known AND (r.job IS NOT NULL OR p.job IS NOT NULL
                        OR q.job IS NOT NULL AND q.token IS DISTINCT FROM d.token) THEN 'superseded' END AS standing
                FROM (SELECT u.*, u.fleet = (SELECT life())
                        OR EXISTS (SELECT FROM slices s WHERE s.token = u.token AND s.fleet = u.fleet) AS known
                    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) WITH ORDINALITY
                        AS u(fleet, job, token, document, place)) AS d
                LEFT JOIN results r ON r.job = d.job LEFT JOIN contents c ON c.job = d.job
                LEFT JOIN queue q ON q.job = d.job LEFT JOIN paused p ON p.job = d.job) AS s
            WHERE standing IS NOT NULL
            """
    )

    /// $1 node, $2 incarnation: jobs in its buckets that have ended too many nodes have failed.
    static let condemn = Statement(
        name: "condemn",
        sql: """
            WITH gone AS (DELETE FROM queue q USING buckets b
                     WHERE b.node = $1 AND q.bucket = b.bucket AND q.takeovers >= \(Poison.provenFrom)
                         AND q.node IS NULL
                         AND EXISTS (SELECT FROM nodes WHERE node = $1 AND incarnation = $2 AND expires_at > now())
                     RETURNING q.job, q.takeovers),
                 bare AS (UPDATE items SET headers = NULL, lost_headers = true FROM gone
                     WHERE items.job = gone.job AND items.headers IS NOT NULL)
            INSERT INTO results (job, batch, node, token, state, error)
                SELECT job, i.batch, $1, 0, 2, jsonb_build_object('code', 'poison', 'message',
                    gone.takeovers || ' nodes have ended while they had it')
                FROM gone JOIN items i USING (job)
            """
    )
}
