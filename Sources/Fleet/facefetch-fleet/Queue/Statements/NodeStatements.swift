import FleetCore

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
    /// The buckets of a node that others have declared dead are free before it comes to life again.
    static let release = Statement(
        name: "release",
        sql: """
            UPDATE buckets b SET node = NULL, draining = false, epoch = epoch + 1 FROM nodes n
            WHERE n.name = $1 AND n.expires_at = '-infinity' AND b.node = n.node
            """
    )

    /// $1 name, $2 lease in seconds, $3 the daemon's store, $4 the number of its newest ending.
    ///
    /// No row: a node that lives has the same daemon, or this name and another daemon.
    ///
    /// One whose newest ending is older than what has been read of it is another store, too: it has been
    /// restored from a copy.
    static let register = Statement(
        name: "register",
        sql: """
            WITH old AS (SELECT event, info ->> 'store' = $3 AS same FROM nodes WHERE name = $1)
            INSERT INTO nodes (name, expires_at, info)
            SELECT $1, now() + $2::float * interval '1 s', jsonb_build_object('store', $3::text, 'lease', $2::float)
            WHERE NOT EXISTS (SELECT FROM nodes
                WHERE (name = $1) <> (info ->> 'store' = $3::text) AND expires_at > now())
            ON CONFLICT (name) DO UPDATE SET incarnation = nodes.incarnation + 1, expires_at = EXCLUDED.expires_at,
                gone_at = NULL, removed_at = NULL, resting = NULL, resting_since = NULL, idle = true,
                event = CASE WHEN nodes.info ->> 'store' = $3 AND nodes.event <= $4::bigint THEN nodes.event ELSE 0 END,
                info = nodes.info || EXCLUDED.info
            RETURNING node, incarnation, event, coalesce((SELECT same AND old.event > $4::bigint FROM old), false)
            """
    )

    /// $1 name, $2 the daemon's store: a node that lives and has the same, and whether that is the name.
    static let twin = Statement(
        name: "twin",
        sql: """
            SELECT name, name = $1 FROM nodes WHERE (name = $1) <> (info ->> 'store' = $2) AND expires_at > now()
            ORDER BY 2 DESC
            """
    )

    /// A node whose lease runs.
    static let living = Statement(
        name: "living",
        sql: "SELECT name FROM nodes WHERE expires_at > now() ORDER BY name LIMIT 1"
    )

    /// The database's name, quoted; no row where it belongs to somebody else.
    static let ownDatabase = Statement(
        name: "own_database",
        sql: """
            SELECT quote_ident(datname) FROM pg_database
            WHERE datname = current_database() AND pg_has_role(datdba, 'MEMBER')
            """
    )

    /// The version of the tables.
    static let version = Statement(name: "version", sql: "SELECT max(version) FROM version")

    /// $1 node, $2 incarnation, $3 lease in seconds, $4 the life of the fleet, $5 whether it idles; null if that is as
    /// it was.
    ///
    /// No row: the node has been fenced, or the life is over.
    static let beat = Statement(
        name: "beat",
        sql: """
            UPDATE nodes SET expires_at = now() + $3::float * interval '1 s', idle = coalesce($5::boolean, idle)
            WHERE node = $1 AND incarnation = $2 AND expires_at <> '-infinity' AND life() = $4
            RETURNING extract(epoch FROM now())
            """
    )

    /// $1 node.
    static let look = Statement(
        name: "look",
        sql: "SELECT incarnation, expires_at = '-infinity', life() FROM nodes WHERE node = $1"
    )

    /// $1 grace in seconds, $2 whether at all, $3 what the clock should show; null if nobody knows.
    ///
    /// Declares dead whose lease has been over for that long, by a clock that hasn't stepped.
    static let bury = Statement(
        name: "bury",
        sql: """
            UPDATE nodes SET expires_at = '-infinity', gone_at = now()
            WHERE $2::boolean AND expires_at <> '-infinity' AND expires_at < now() - $1::float * interval '1 s'
                AND abs(extract(epoch FROM now()) - coalesce($3::float, extract(epoch FROM now()))) <= $1::float
            """
    )

    /// A lease that ends later than any can was given before the clock went back: it ends in time.
    static let clamp = Statement(
        name: "clamp",
        sql: """
            UPDATE nodes SET expires_at = now() + (info ->> 'lease')::float * interval '1 s'
            WHERE expires_at > now() + 2 * (info ->> 'lease')::float * interval '1 s'
            """
    )

    /// $1 node.
    static let shares = Statement(
        name: "shares",
        sql: """
            SELECT (SELECT count(*) FROM nodes WHERE expires_at > now() AND resting IS NULL),
                (SELECT count(*) FROM buckets WHERE node = $1 AND NOT draining),
                (SELECT count(*) FROM buckets b LEFT JOIN nodes o USING (node)
                    WHERE b.node IS NULL OR o.expires_at = '-infinity'),
                (SELECT count(*) FROM buckets WHERE node = $1 AND draining),
                (SELECT string_agg(DISTINCT least(q.takeovers, \(Poison.aloneFrom))::text, ' ')
                    FROM queue q JOIN buckets b USING (bucket)
                    WHERE b.node = $1 AND NOT b.draining AND q.takeovers >= 3
                        AND q.takeovers < \(Poison.provenFrom) AND q.node IS NULL AND q.not_before <= now()),
                (SELECT min(coalesce(owned, 0)) FROM nodes n LEFT JOIN
                    (SELECT node, count(*) AS owned FROM buckets WHERE NOT draining GROUP BY node) b USING (node)
                    WHERE n.expires_at > now() AND n.resting IS NULL),
                (SELECT count(*) FROM nodes WHERE node <> $1 AND expires_at > now() AND resting IS NULL AND idle)
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
                     WHERE b.bucket = free.bucket RETURNING b.bucket)
            SELECT count(*) FROM took
            """
    )

    /// $1 node, $2 how many, $3 of which; null for all.
    ///
    /// Any of them, busy ones as idle ones: those without work would leave whoever gets them with nothing to do.
    static let drain = Statement(
        name: "drain",
        sql: """
            UPDATE buckets SET draining = true WHERE bucket IN (
                SELECT bucket FROM buckets
                WHERE node = $1 AND NOT draining AND ($3::smallint[] IS NULL OR bucket = ANY($3::smallint[]))
                ORDER BY random() LIMIT $2)
            """
    )

    /// $1 node.
    ///
    /// Gives away what is empty.
    static let give = Statement(
        name: "give",
        sql: """
            WITH busy AS (SELECT DISTINCT q.bucket
                     FROM slices s CROSS JOIN LATERAL unnest(s.jobs) AS j(job)
                     JOIN queue q ON q.job = j.job AND q.token = s.token
                     WHERE s.node = $1 AND EXISTS (SELECT FROM buckets WHERE node = $1 AND draining))
            UPDATE buckets b SET node = NULL, draining = false, epoch = epoch + 1
            WHERE node = $1 AND draining AND NOT EXISTS (SELECT FROM busy WHERE busy.bucket = b.bucket)
            """
    )

    /// $1 node, $2 incarnation.
    ///
    /// Gives back all that the node holds.
    static let leave = Statement(
        name: "leave",
        sql: """
            WITH me AS (SELECT node FROM nodes WHERE node = $1 AND incarnation = $2),
                 mine AS (DELETE FROM slices s USING me WHERE s.node = me.node RETURNING s.token, s.jobs),
                 rows AS (UPDATE queue q SET node = NULL, token = NULL
                     FROM mine CROSS JOIN LATERAL unnest(mine.jobs) AS j(job)
                     WHERE q.job = j.job AND q.token = mine.token RETURNING q.job),
                 gave AS (UPDATE buckets b SET node = NULL, draining = false, epoch = epoch + 1 FROM me
                     WHERE b.node = me.node RETURNING 1),
                 gone AS (UPDATE nodes n SET expires_at = '-infinity', gone_at = now() FROM me WHERE n.node = me.node RETURNING 1)
            SELECT (SELECT count(*) FROM rows), (SELECT count(*) FROM gave), (SELECT count(*) FROM gone)
            """
    )

    /// $1 node, $2 incarnation, $3 why it rests; null if it works again; $4 whether it may only while another works.
    ///
    /// No row: it may not.
    static let rest = Statement(
        name: "rest",
        sql: """
            UPDATE nodes SET resting = $3, resting_since = CASE WHEN $3::text IS NOT NULL THEN now() END
            WHERE node = $1 AND incarnation = $2 AND (NOT $4::boolean OR EXISTS (
                SELECT FROM nodes o WHERE o.node <> $1 AND o.expires_at > now() AND o.resting IS NULL))
            RETURNING 1
            """
    )

    /// $1 node: the jobs that others have ended lately, and those that failed, without what failed for itself.
    static let others = Statement(
        name: "others",
        sql: """
            SELECT count(*), count(*) FILTER (WHERE state = 2) FROM results
            WHERE finished_at > now() - interval '10 min' AND node <> $1 AND \(saysOfNodes)
            """
    )

    /// $1 node, $2 buckets, $3 seconds: the same of jobs of these buckets that have ended since.
    static let othersThere = Statement(
        name: "others_there",
        sql: """
            SELECT count(*), count(*) FILTER (WHERE state = 2) FROM (
                SELECT r.state FROM results r JOIN items i USING (job)
                WHERE r.finished_at > now() - $3::float * interval '1 s' AND r.node <> $1 AND \(saysOfNodes)
                    AND i.bucket = ANY($2::smallint[])
                LIMIT 1000) AS r
            """
    )

    /// A condition of records that say something of who has made them.
    private static let saysOfNodes = """
        state <> 3 AND coalesce(error ->> 'code', '') <> ALL ('{\(NodeHealth.ofFiles.sorted().joined(separator: ","))}')
        """

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
