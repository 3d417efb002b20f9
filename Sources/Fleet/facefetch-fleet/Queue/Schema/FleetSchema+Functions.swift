extension FleetSchema {
    /// An expression over rows of jobs that wait now, with their turns, that announces them: ``QueueNews``.
    static let announcement = """
        pg_notify('\(channel)', min(job) || ' ' || string_agg(DISTINCT turn::text, ' '))
        """

    /// An expression over rows of items that are queued together: each one's place among those of its bucket.
    static let place = "row_number() OVER (PARTITION BY bucket, priority ORDER BY job)"

    /// Returns an expression of the priority that is in a row's turn: what waits may have got another than it was added
    /// with.
    static func priority(_ row: String) -> String { "-(\(row).turn >> 3)" }

    /// Returns an expression of a row's turn with another priority, which keeps its step.
    static func turn(priority: String) -> String { "-8 * \(priority) + (turn & 7::smallint)" }

    /// An expression of the turn of a row of the queue that a node gives back: what nobody claims for a while has the
    /// last one of its priority, lest others begin to look where it is.
    static let turnAgain = "CASE WHEN not_before > now() THEN turn | 7::smallint ELSE turn END"

    /// The functions by which items become jobs.
    static func functions(_ schema: String) -> String {
        """
        -- The host of a URL, by which the fleet is polite: most authorities have nothing that takes a pattern to read.
        CREATE FUNCTION host(url text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT rtrim(lower(
                CASE WHEN translate(split_part(url, '/', 3), '@?#[', '') = split_part(url, '/', 3)
                        AND split_part(url, '/', 2) = ''
                    THEN split_part(split_part(url, '/', 3), ':', 1)
                    ELSE (regexp_match(url,
                        '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?(\\[[^\\]/?#]*\\]|[^:/?#]*)'))[1] END), '.')
        $$;

        -- The bucket of a host; of one that several nodes share, by the number of the job.
        CREATE FUNCTION bucket(host text, part bigint) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT (('x' || left(md5(CASE part WHEN 0 THEN host ELSE host || ' ' || part END), 4))::bit(16)::int
                & 1023)::smallint
        $$;

        -- The turn of a job within its bucket: eight for each priority, lower ones first. The first jobs that a batch has
        -- there have another than its thousandth, so that no batch waits until the one before has come to its end.
        CREATE FUNCTION turn(priority smallint, place bigint) RETURNS smallint
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT (-8 * priority + CASE WHEN place <= 10 THEN 0 WHEN place <= 100 THEN 1 WHEN place <= 1000 THEN 2
                WHEN place <= 10000 THEN 3 ELSE 4 END)::smallint
        $$;

        -- Queues a batch that has its items.
        CREATE FUNCTION enqueue(of_batch bigint) RETURNS bigint LANGUAGE sql AS $$
            WITH new AS (INSERT INTO \(schema).queue (job, bucket, turn)
                SELECT job, bucket, \(schema).turn(priority, \(place)) FROM \(schema).items WHERE batch = of_batch
                ORDER BY job RETURNING job, turn)
            UPDATE \(schema).batches SET items = added.count
                FROM (SELECT count(*), \(announcement) FROM new) AS added WHERE batch = of_batch
                RETURNING of_batch;
        $$;
        """
    }
}
