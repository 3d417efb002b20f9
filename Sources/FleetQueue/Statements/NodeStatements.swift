/// The statements by which nodes live, take over and give away.
///
/// `take`, `register` and `leave` hold a lock of the whole fleet: so nobody takes a bucket whose owner comes
/// back in the same moment.
enum NodeStatements {
    static let lock = Statement(
        name: "lock",
        sql: "SELECT pg_advisory_xact_lock(hashtextextended('facefetch-fleet ' || current_schema(), 0))"
    )

    /// $1 name.
    ///
    /// What a node held that others have declared dead goes back, before it comes to life again.
    static let release = Statement(
        name: "release",
        sql: """
            WITH dead AS (SELECT node FROM nodes WHERE name = $1 AND expires_at = '-infinity'),
                 freed AS (UPDATE queue q SET node = NULL, token = NULL, takeovers = takeovers + 1
                     FROM buckets b, dead
                     WHERE b.node = dead.node AND q.bucket = b.bucket AND q.node IS NOT NULL RETURNING 1)
            UPDATE buckets b SET node = NULL, draining = false, epoch = epoch + 1 FROM dead WHERE b.node = dead.node
            """
    )

    /// $1 name, $2 lease in seconds, $3 the daemon's store, $4 the number of its newest ending.
    ///
    /// One whose newest ending is older than what has been read of it is another store, too: it has been
    /// restored from a copy.
    static let register = Statement(
        name: "register",
        sql: """
            WITH old AS (SELECT event, info ->> 'store' = $3 AS same FROM nodes WHERE name = $1)
            INSERT INTO nodes (name, expires_at, info)
            VALUES ($1, now() + $2::float * interval '1 s', jsonb_build_object('store', $3::text))
            ON CONFLICT (name) DO UPDATE SET incarnation = nodes.incarnation + 1, expires_at = EXCLUDED.expires_at,
                gone_at = NULL, removed_at = NULL,
                event = CASE WHEN nodes.info ->> 'store' = $3 AND nodes.event <= $4::bigint THEN nodes.event ELSE 0 END,
                info = nodes.info || EXCLUDED.info
            RETURNING node, incarnation, event, coalesce((SELECT same AND old.event > $4::bigint FROM old), false)
            """
    )

    /// $1 node, $2 incarnation, $3 lease in seconds.
    ///
    /// No row: the node has been fenced.
    static let beat = Statement(
        name: "beat",
        sql: """
            UPDATE nodes SET expires_at = now() + $3::float * interval '1 s'
            WHERE node = $1 AND incarnation = $2 AND expires_at <> '-infinity' RETURNING 1
            """
    )

    /// $1 node.
    static let look = Statement(
        name: "look",
        sql: "SELECT incarnation, expires_at = '-infinity' FROM nodes WHERE node = $1"
    )

    /// $1 grace in seconds, $2 whether at all.
    ///
    /// Declares dead whose lease has been over for that long.
    static let bury = Statement(
        name: "bury",
        sql: """
            UPDATE nodes SET expires_at = '-infinity', gone_at = now()
            WHERE $2::boolean AND expires_at <> '-infinity' AND expires_at < now() - $1::float * interval '1 s'
            """
    )

    /// $1 node.
    static let shares = Statement(
        name: "shares",
        sql: """
            SELECT (SELECT count(*) FROM nodes WHERE expires_at > now()),
                (SELECT count(*) FROM buckets WHERE node = $1 AND NOT draining),
                (SELECT count(*) FROM buckets b LEFT JOIN nodes o USING (node)
                    WHERE b.node IS NULL OR o.expires_at = '-infinity'),
                (SELECT count(*) FROM buckets WHERE node = $1 AND draining),
                EXISTS (SELECT FROM queue q JOIN buckets b USING (bucket)
                    WHERE b.node = $1 AND NOT b.draining AND q.takeovers >= 3 AND q.takeovers < 5
                        AND q.node IS NULL AND q.not_before <= now())
            """
    )

    /// $1 node, $2 incarnation, $3 how many.
    static let take = Statement(
        name: "take",
        sql: """
            WITH free AS (SELECT bucket FROM buckets b LEFT JOIN nodes o USING (node)
                     WHERE (b.node IS NULL OR o.expires_at = '-infinity')
                         AND EXISTS (SELECT FROM nodes WHERE node = $1 AND incarnation = $2 AND expires_at > now())
                     ORDER BY random() LIMIT $3 FOR UPDATE OF b SKIP LOCKED),
                 took AS (UPDATE buckets b SET node = $1, epoch = epoch + 1, draining = false FROM free
                     WHERE b.bucket = free.bucket RETURNING b.bucket),
                 freed AS (UPDATE queue q SET node = NULL, token = NULL, takeovers = takeovers + 1 FROM took
                     WHERE q.bucket = took.bucket AND q.node IS NOT NULL RETURNING 1)
            SELECT (SELECT count(*) FROM took), (SELECT count(*) FROM freed)
            """
    )

    /// $1 node, $2 how many.
    ///
    /// Any of them, busy ones as idle ones: those without work would leave whoever gets them with nothing to do.
    static let drain = Statement(
        name: "drain",
        sql: """
            UPDATE buckets SET draining = true WHERE bucket IN (
                SELECT bucket FROM buckets WHERE node = $1 AND NOT draining ORDER BY random() LIMIT $2)
            """
    )

    /// $1 node.
    ///
    /// Gives away what is empty.
    static let give = Statement(
        name: "give",
        sql: """
            UPDATE buckets b SET node = NULL, draining = false, epoch = epoch + 1
            WHERE node = $1 AND draining
                AND NOT EXISTS (SELECT FROM queue q WHERE q.bucket = b.bucket AND q.node = $1)
            """
    )

    /// $1 node, $2 incarnation.
    ///
    /// Gives back all that the node holds.
    static let leave = Statement(
        name: "leave",
        sql: """
            WITH me AS (SELECT node FROM nodes WHERE node = $1 AND incarnation = $2),
                 rows AS (UPDATE queue q SET node = NULL, token = NULL FROM buckets b, me
                     WHERE b.node = me.node AND q.bucket = b.bucket AND q.node IS NOT NULL RETURNING q.job),
                 gave AS (UPDATE buckets b SET node = NULL, draining = false, epoch = epoch + 1 FROM me
                     WHERE b.node = me.node RETURNING 1),
                 gone AS (UPDATE nodes n SET expires_at = '-infinity', gone_at = now() FROM me WHERE n.node = me.node RETURNING 1)
            SELECT (SELECT count(*) FROM rows), (SELECT count(*) FROM gave), (SELECT count(*) FROM gone)
            """
    )

    /// $1 name, $2 grace in seconds.
    ///
    /// A node that is alone is declared dead by nobody: whoever removes it does that.
    static let expire = Statement(
        name: "expire",
        sql: """
            UPDATE nodes SET expires_at = '-infinity', gone_at = now()
            WHERE name = $1 AND expires_at <> '-infinity' AND expires_at < now() - $2::float * interval '1 s'
            """
    )

    /// $1 name: whether it is gone, and whether it has been removed before.
    ///
    /// The row stays, because results name it.
    static let remove = Statement(
        name: "remove_node",
        sql: """
            WITH old AS (SELECT node, expires_at = '-infinity' AS gone, removed_at IS NOT NULL AS removed
                     FROM nodes WHERE name = $1),
                 done AS (UPDATE nodes n SET removed_at = now() FROM old
                     WHERE n.node = old.node AND old.gone AND NOT old.removed)
            SELECT gone, removed FROM old
            """
    )
}
