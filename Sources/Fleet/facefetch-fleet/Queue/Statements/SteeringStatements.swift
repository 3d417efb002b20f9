/// The statements by which people steer jobs.
///
/// Those that are meant are chosen first, without a lock, and then changed part by part, each in a transaction of its
/// own: so nobody waits for long, however many they are.
enum SteeringStatements {
    /// The number of jobs in a part.
    static let part = 10_000

    /// The table of jobs that have been chosen; only this connection has it.
    static let chosen = """
        CREATE TEMPORARY TABLE IF NOT EXISTS chosen (
            part bigint PRIMARY KEY, jobs bigint[], turn smallint, seen pg_snapshot);
        TRUNCATE chosen
        """

    /// Returns the call that chooses jobs; its row has the number of parts.
    static func choose(_ query: JobQuery) -> Call {
        let sql = """
            WITH made AS (INSERT INTO chosen (part, jobs) SELECT part, array_agg(job ORDER BY job)
                FROM (SELECT job, (row_number() OVER (ORDER BY job) - 1) / \(part) AS part
                    FROM (\(query.sql)) AS c) AS n
                GROUP BY part RETURNING 1)
            SELECT count(*) FROM made
            """
        return call("choose", sql, query)
    }

    /// Returns the call that chooses jobs that are to be queued again, with their turns, as if they were added now.
    ///
    /// Jobs of a part have the same turn, and the snapshot in which their records were seen. The row has the number of
    /// parts, and that of jobs that are left out, since they had header fields.
    static func chooseEnded(_ query: JobQuery) -> Call {
        let sql = """
            WITH placed AS (SELECT job, lost_headers IS TRUE AS bare, turn(priority,
                    row_number() OVER (PARTITION BY batch, bucket, priority ORDER BY job)) AS turn
                FROM (\(query.sql)) AS c JOIN items USING (job)),
            numbered AS (SELECT job, turn,
                    (row_number() OVER (PARTITION BY turn ORDER BY job) - 1) / \(part) AS part
                FROM placed WHERE NOT bare),
            made AS (INSERT INTO chosen SELECT row_number() OVER () - 1, array_agg(job ORDER BY job), turn,
                    pg_current_snapshot() FROM numbered GROUP BY turn, part RETURNING 1)
            SELECT (SELECT count(*) FROM made), (SELECT count(*) FROM placed WHERE bare)
            """
        return call("choose_ended", sql, query)
    }

    /// Returns the call that counts jobs, and tells how many of them had header fields.
    static func count(_ query: JobQuery) -> Call {
        let sql = """
            SELECT count(*), count(*) FILTER (WHERE r.job IS NOT NULL AND i.lost_headers)
            FROM (\(query.sql)) AS c JOIN items i USING (job) LEFT JOIN results r USING (job)
            """
        return call("count_chosen", sql, query)
    }

    /// Returns a call whose statement has the text of a query in it.
    static func call(_ name: String, _ sql: String, _ query: JobQuery) -> Call {
        Call(Statement(name: "\(name)_\(UInt(bitPattern: sql.hashValue))", sql: sql), query.values)
    }

    /// Settings for the statements below: no statistics tell how many rows came since, and only indexes are as fast for
    /// each part.
    static let plan = "SET enable_seqscan = off; SET enable_bitmapscan = off; SET jit = off"

    /// A condition that a row's job is in the part $1.
    private static let isChosen = "job = ANY((SELECT jobs FROM chosen WHERE part = $1)::bigint[])"

    /// A condition of rows of the queue: $2 whether those that nobody has are meant, $3 whether those that a node has,
    /// of $4 names of nodes, null for any.
    private static let isMeant = """
        \(isChosen) AND CASE WHEN node IS NULL THEN $2::boolean ELSE $3::boolean
            AND ($4::text[] IS NULL OR node = ANY(ARRAY(SELECT n.node FROM nodes n WHERE n.name = ANY($4::text[])))) END
        """

    /// $1 part, $2 whether queued and $3 whether held ones are meant, $4 by which nodes; null for any.
    ///
    /// What nodes hold goes, too: they ask now and then, and when they are told, what of it is still theirs.
    static let pause = Statement(
        name: "pause",
        sql: """
            WITH gone AS (DELETE FROM queue WHERE \(isMeant)
                     RETURNING job, bucket, turn, not_before, takeovers, blamed_at),
                 kept AS (INSERT INTO paused SELECT * FROM gone RETURNING 1)
            SELECT count(*), pg_notify('\(FleetSchema.channel)', '') FROM kept
            """
    )

    /// $1 part.
    static let resume = Statement(
        name: "resume",
        sql: """
            WITH gone AS (DELETE FROM paused WHERE \(isChosen)
                     RETURNING job, bucket, turn, not_before, takeovers, blamed_at),
                 kept AS (INSERT INTO queue (job, bucket, turn, not_before, takeovers, blamed_at) SELECT * FROM gone
                     RETURNING job, turn)
            SELECT count(*), \(FleetSchema.announcement) FROM kept
            """
    )

    /// $1 part, $2 whether queued and $3 whether held ones are meant, $4 by which nodes, null for any; $5 whether paused
    /// ones are.
    ///
    /// As with a pause, nodes give up what they hold.
    static let cancel = Statement(
        name: "cancel",
        sql: """
            WITH queued AS (DELETE FROM queue WHERE \(isMeant) RETURNING job, coalesce(node, 0) AS node),
                 held AS (DELETE FROM paused WHERE \(isChosen) AND $5::boolean RETURNING job),
                 gone AS (SELECT job, node FROM queued UNION ALL SELECT job, 0 FROM held),
                 wanted AS MATERIALIZED (SELECT gone.*, i.batch, i.headers IS NOT NULL AS has_headers
                     FROM gone JOIN items i USING (job)),
                 bare AS (UPDATE items i SET headers = NULL, lost_headers = true FROM wanted w
                     WHERE w.has_headers AND i.job = w.job),
                 kept AS (INSERT INTO results (job, batch, node, token, state)
                     SELECT job, batch, node, 0, 3 FROM wanted RETURNING 1)
            SELECT count(*), pg_notify('\(FleetSchema.channel)', '') FROM kept
            """
    )

    /// $1 part.
    ///
    /// A record that is newer than the choice is of another ending, and stays.
    static let retry = Statement(
        name: "retry",
        sql: """
            WITH gone AS (DELETE FROM results WHERE \(isChosen)
                     AND pg_visible_in_snapshot(xact, (SELECT seen FROM chosen WHERE part = $1)) RETURNING job),
                 back AS (INSERT INTO queue (job, bucket, turn)
                     SELECT job, bucket, (SELECT turn FROM chosen WHERE part = $1) FROM gone JOIN items USING (job)
                     ORDER BY job RETURNING job, turn)
            SELECT count(*), \(FleetSchema.announcement) FROM back
            """
    )

    /// $1 part, $2 the new priority, $3 whether queued and $4 whether paused ones are meant.
    ///
    /// It is in the turn, of which only the step stays as it is: how far a job is behind the first of its batch. What a
    /// node has, it goes on with.
    static let prioritize = Statement(
        name: "prioritize",
        sql: """
            WITH queued AS (UPDATE queue SET turn = \(FleetSchema.turn(priority: "$2::smallint"))
                     WHERE \(isChosen) AND node IS NULL AND $3::boolean RETURNING job, turn),
                 kept AS (UPDATE paused SET turn = \(FleetSchema.turn(priority: "$2::smallint"))
                     WHERE \(isChosen) AND $4::boolean RETURNING 1)
            SELECT count(*) + (SELECT count(*) FROM kept), \(FleetSchema.announcement) FROM queued
            """
    )

    /// $1 part.
    ///
    /// Takes from nodes what they hold, to wait where it was.
    static let giveBack = Statement(
        name: "take_back",
        sql: """
            WITH back AS (UPDATE queue SET node = NULL, token = NULL,
                     turn = \(FleetSchema.turnAgain)
                     WHERE \(isChosen) AND node IS NOT NULL RETURNING job, turn)
            SELECT count(*), \(FleetSchema.announcement) FROM back
            """
    )

    /// $1 why, null for no new reason: nobody claims anything from now on.
    static let hold = Statement(
        name: "hold",
        sql: """
            INSERT INTO hold (reason) VALUES ($1)
            ON CONFLICT (one) DO UPDATE SET reason = coalesce(EXCLUDED.reason, hold.reason)
            """
    )

    /// Waits until claims are over that had begun before: they have their nodes' rows.
    static let settle = Statement(
        name: "settle",
        sql: "SELECT count(*) FROM (SELECT FROM nodes FOR SHARE) AS n"
    )

    /// Nodes claim again; no row: they did so before.
    static let release = Statement(
        name: "release_all",
        sql: """
            WITH gone AS (DELETE FROM hold RETURNING 1) SELECT pg_notify('\(FleetSchema.channel)', '') FROM gone
            """
    )
}
