extension FleetSchema {
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

        -- Queues a batch that has its items.
        CREATE FUNCTION enqueue(of_batch bigint) RETURNS bigint LANGUAGE sql AS $$
            INSERT INTO \(schema).queue (job, bucket, priority)
                SELECT job, bucket, priority FROM \(schema).items WHERE batch = of_batch ORDER BY job;
            UPDATE \(schema).batches SET items = (SELECT count(*) FROM \(schema).items WHERE batch = of_batch)
                WHERE batch = of_batch;
            SELECT pg_notify('\(channel)', '');
            SELECT of_batch;
        $$;
        """
    }
}
