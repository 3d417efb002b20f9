/// The statements by which people see how the fleet stands.
enum StatusStatements {
    /// A condition that a record is of the last minute, and of a job that wasn't cancelled: a person does that to a million
    /// at once, which says nothing of how fast jobs are done.
    static let isRecent = "finished_at > now() - interval '1 min' AND state <> 3"

    /// Returns a table expression of how many jobs each node holds for which a condition holds.
    private static func held(where condition: String = "true") -> String {
        """
        (SELECT s.node, count(*) AS jobs FROM slices s CROSS JOIN LATERAL unnest(s.jobs) AS j(job)
            CROSS JOIN LATERAL (SELECT FROM queue q WHERE q.job = j.job AND q.token = s.token AND \(condition) LIMIT 1) q
            GROUP BY s.node)
        """
    }

    /// The nodes that nobody has removed, by name.
    static let nodes = Statement(
        name: "nodes",
        sql: """
            SELECT n.name, CASE WHEN expires_at <> '-infinity' THEN extract(epoch FROM expires_at - now()) END,
                (SELECT count(*) FROM buckets b WHERE b.node = n.node), coalesce(h.jobs, 0),
                to_char(gone_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), n.resting
            FROM nodes n LEFT JOIN \(held()) h USING (node) WHERE n.removed_at IS NULL ORDER BY n.name
            """
    )

    /// How many there are of all, by counters and not by counting; how long jobs took that were done or have failed
    /// within the last minute, or enough of them.
    static let totals = Statement(
        name: "totals",
        sql: """
            SELECT b.items - t.jobs - p.jobs, p.jobs, t.jobs,
                (SELECT count(*) FROM queue WHERE takeovers >= 3) + t.poison,
                (SELECT extract(epoch FROM now() - b.created_at)
                    FROM (SELECT job FROM queue ORDER BY job LIMIT 1) q JOIN items i USING (job)
                    JOIN batches b USING (batch)),
                (SELECT count(*) FROM in_order WHERE \(isRecent)), w.p[1], w.p[2],
                (SELECT to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM hold),
                (SELECT reason FROM hold)
            FROM (SELECT coalesce(sum(items), 0)::bigint AS items FROM batches) AS b,
                (SELECT count(*) AS jobs FROM paused) AS p,
                (SELECT coalesce(sum(jobs), 0)::bigint AS jobs,
                     coalesce(sum(jobs) FILTER (WHERE state = 2 AND code = 'poison'), 0)::bigint AS poison
                     FROM tallies) AS t,
                (SELECT percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (
                        ORDER BY extract(epoch FROM finished_at - created_at)::float) AS p
                    FROM (SELECT batch, finished_at FROM in_order WHERE \(isRecent)
                        LIMIT 100000) AS r JOIN batches USING (batch)) AS w
            """
    )

    /// What each node has to do and has done.
    static let work = Statement(
        name: "work",
        sql: """
            WITH recent AS (SELECT node, count(*) AS jobs FROM in_order WHERE \(isRecent) GROUP BY node),
                 counts AS (SELECT node, state, code, sum(jobs)::bigint AS jobs FROM tallies GROUP BY 1, 2, 3
                     HAVING sum(jobs) > 0),
                 ended AS (SELECT node, coalesce(sum(jobs) FILTER (WHERE state = 1), 0)::bigint AS done,
                         coalesce(sum(jobs) FILTER (WHERE state = 2), 0)::bigint AS failed FROM counts GROUP BY node)
            SELECT n.name, coalesce(waiting.jobs, 0), coalesce(recent.jobs, 0), coalesce(done, 0), coalesce(failed, 0),
                (SELECT string_agg(code || ' ' || jobs, ', ' ORDER BY jobs DESC, code)
                    FROM (SELECT code, jobs FROM counts c WHERE c.node = n.node AND c.state = 2
                        ORDER BY jobs DESC, code LIMIT 3) AS most)
            FROM nodes n LEFT JOIN \(held(where: "q.not_before > now()")) waiting USING (node)
                LEFT JOIN recent USING (node) LEFT JOIN ended USING (node)
            """
    )

    /// $1 how many of the hosts that have the most jobs that haven't ended, then of those where the most have failed.
    static let hosts = Statement(
        name: "hosts",
        sql: """
            WITH open AS (SELECT host(i.url) AS host, count(*) FILTER (WHERE q.node IS NULL) AS queued,
                         count(q.node) AS held, count(*) FILTER (WHERE q.not_before > now()) AS waiting,
                         min(i.batch) AS batch
                     FROM queue q JOIN items i USING (job) GROUP BY 1),
                 kept AS (SELECT host(i.url) AS host, count(*) AS paused, min(i.batch) AS batch
                     FROM paused p JOIN items i USING (job) GROUP BY 1),
                 ended AS (SELECT host(i.url) AS host, count(*) FILTER (WHERE r.state = 1) AS done,
                         count(*) FILTER (WHERE r.state = 2) AS failed,
                         mode() WITHIN GROUP (ORDER BY r.error ->> 'code') FILTER (WHERE r.state = 2) AS code
                     FROM results r JOIN items i USING (job)
                     WHERE r.finished_at > now() - interval '10 min' AND r.state < 3 GROUP BY 1),
                 most AS (SELECT host, coalesce(queued, 0) AS queued, coalesce(held, 0) AS held,
                         coalesce(paused, 0) AS paused, coalesce(waiting, 0) AS waiting, coalesce(done, 0) AS done,
                         coalesce(failed, 0) AS failed, code, least(open.batch, kept.batch) AS batch
                     FROM open FULL JOIN kept USING (host) FULL JOIN ended USING (host)
                     ORDER BY coalesce(queued, 0) + coalesce(held, 0) + coalesce(paused, 0) DESC, failed DESC, host
                     LIMIT $1)
            SELECT host, queued, held, paused, waiting, done, failed, code, extract(epoch FROM now() - created_at)
            FROM most LEFT JOIN batches USING (batch)
            ORDER BY queued + held + paused DESC, failed DESC, host
            """
    )
}
