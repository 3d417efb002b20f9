import FleetCore

/// The statements by which jobs are claimed.
///
/// A claim follows ``NodeStatements/beat`` in one transaction: that takes the lock on the node's row which a takeover
/// needs, too, and this sees what has been committed until then.
enum ClaimStatements {
    /// $1 node, $2 incarnation, $3 most in all, and what ``QueueHeads/Reach`` says: $4 buckets, $5 their epochs, $6 the
    /// most of each, $7 and $8 its first and last place among $9 turns and $10 jobs.
    ///
    /// Jobs that nobody suspects, from the places on where they begin.
    static let claim = claim(
        "claim",
        """
        own AS (SELECT r.* FROM unnest($4::smallint[], $5::bigint[], $6::int[], $7::int[], $8::int[])
                 WITH ORDINALITY AS r(bucket, epoch, room, first, last, place)
                 JOIN buckets b ON b.bucket = r.bucket AND b.epoch = r.epoch
                 WHERE b.node = $1 AND NOT b.draining AND \(lives)
                 ORDER BY place),
             n AS (SELECT q.at FROM own CROSS JOIN LATERAL (
                     SELECT q.at FROM generate_series(own.first, own.last) AS p(place) CROSS JOIN LATERAL (
                         SELECT ctid AS at FROM queue
                         WHERE queue.bucket = own.bucket
                             AND (queue.turn, queue.job) >= (($9::smallint[])[p.place], ($10::bigint[])[p.place])
                             AND queue.turn <= ($9::smallint[])[p.place]
                             AND queue.node IS NULL AND not_before <= now() AND takeovers < \(Poison.suspectFrom)
                         ORDER BY queue.turn, queue.job LIMIT own.room FOR UPDATE SKIP LOCKED) q
                     LIMIT own.room) q
                 LIMIT $3)
        """
    )

    /// $1 node, $2 incarnation, $3 most in all, $4 the least and $5 the most blame.
    ///
    /// Suspects, by an index of their own.
    static let claimSuspects = claim(
        "claim_suspects",
        """
        own AS (SELECT bucket FROM buckets WHERE node = $1 AND NOT draining AND \(lives) ORDER BY random()),
             n AS (SELECT q.at FROM own CROSS JOIN LATERAL (
                     SELECT ctid AS at FROM queue
                     WHERE queue.bucket = own.bucket AND queue.node IS NULL AND not_before <= now()
                         AND takeovers >= \(Poison.suspectFrom) AND takeovers BETWEEN $4 AND $5
                     ORDER BY turn, job LIMIT $3 FOR UPDATE SKIP LOCKED) q
                 LIMIT $3)
        """
    )

    /// A condition that the node lives in this incarnation, and that nobody holds the fleet.
    private static let lives = """
        EXISTS (SELECT FROM nodes WHERE node = $1 AND incarnation = $2 AND expires_at > now())
            AND NOT EXISTS (SELECT FROM hold)
        """

    /// A claim of the rows that are at `n.at`.
    private static func claim(_ name: String, _ rows: String) -> Statement {
        Statement(
            name: name,
            sql: """
                WITH t AS (SELECT nextval('tokens') AS token, (\(LifeStatements.current)) AS fleet),
                     \(rows),
                     l AS (UPDATE queue SET token = t.token, node = $1 FROM t, n WHERE queue.ctid = n.at
                         RETURNING queue.job, queue.token, queue.takeovers, queue.bucket, queue.turn, t.fleet),
                     s AS (INSERT INTO slices (token, node, jobs, fleet)
                         SELECT token, $1, array_agg(job ORDER BY job), fleet FROM l GROUP BY token, fleet)
                SELECT l.job, l.token, l.takeovers, i.url, i.name, encode(i.sha256, 'hex'),
                    \(FleetSchema.priority("l")), i.headers, l.bucket, i.folder, i.meta, l.fleet
                FROM l JOIN items i USING (job) ORDER BY l.job
                """
        )
    }

    /// $1 node, and what ``QueueHeads/places`` says: $2 buckets, $3 epochs, $4 turns, $5 jobs.
    ///
    /// The places at which jobs begin now that nobody holds, also those that wait for a moment or are suspected.
    static let look = Statement(
        name: "look_at_heads",
        sql: """
            SELECT p.bucket, p.epoch, p.turn, f.job
            FROM unnest($2::smallint[], $3::bigint[], $4::smallint[], $5::bigint[]) AS p(bucket, epoch, turn, job)
            JOIN buckets b ON b.bucket = p.bucket AND b.epoch = p.epoch
            LEFT JOIN LATERAL (SELECT q.job FROM queue q
                WHERE q.bucket = p.bucket AND (q.turn, q.job) >= (p.turn, p.job) AND q.turn <= p.turn
                    AND q.node IS NULL
                ORDER BY q.turn, q.job LIMIT 1) f ON true
            WHERE b.node = $1 AND NOT b.draining
            """
    )

    /// $1 node, $2 the epochs of all buckets as far as they are known, $3 into how many others to look.
    ///
    /// The places at which jobs begin in other buckets, turn by turn.
    static let find = Statement(
        name: "find_heads",
        sql: """
            SELECT o.bucket, o.epoch, f.turn, f.job
            FROM (SELECT b.bucket, b.epoch FROM buckets b
                WHERE b.node = $1 AND NOT b.draining AND b.epoch <> ($2::bigint[])[b.bucket + 1] LIMIT $3) AS o
            LEFT JOIN LATERAL (
                WITH RECURSIVE h(turn, job) AS (
                    (SELECT q.turn, q.job FROM queue q WHERE q.bucket = o.bucket AND q.node IS NULL
                        ORDER BY q.turn, q.job LIMIT 1)
                    UNION ALL
                    SELECT n.turn, n.job FROM h CROSS JOIN LATERAL (
                        SELECT q.turn, q.job FROM queue q
                        WHERE q.bucket = o.bucket AND q.turn > h.turn AND q.node IS NULL
                        ORDER BY q.turn, q.job LIMIT 1) n)
                SELECT turn, job FROM h) f ON true
            """
    )
}
