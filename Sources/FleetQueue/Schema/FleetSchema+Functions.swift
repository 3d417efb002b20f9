extension FleetSchema {
    /// The functions of the first version.
    static func functions(_ schema: String) -> String {
        """
        -- The host of a URL, by which the fleet is polite.
        CREATE FUNCTION host(url text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT rtrim(lower((regexp_match(url,
                '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?(\\[[^\\]/?#]*\\]|[^:/?#]*)'))[1]), '.')
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

        -- For other programs: adds [{"url", "name", "sha256", "priority", "headers"}, …] as one batch, and
        -- returns its number. A repeated key returns the first batch; with another digest it is refused.
        CREATE FUNCTION add(of_key text, digest text, list jsonb) RETURNS bigint
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(schema), pg_temp AS $$
        DECLARE
            made bigint;
            known bytea;
        BEGIN
            INSERT INTO batches (key, body_digest) VALUES (of_key, digest::bytea)
                ON CONFLICT (key) DO NOTHING RETURNING batch INTO made;
            IF made IS NULL THEN
                SELECT batch, body_digest INTO made, known FROM batches WHERE key = of_key;
                IF known IS DISTINCT FROM digest::bytea THEN
                    RAISE EXCEPTION 'this key has been used for another batch' USING ERRCODE = 'unique_violation';
                END IF;
                RETURN made;
            END IF;
            INSERT INTO items (job, batch, bucket, priority, url, name, sha256, headers)
                SELECT job, made, bucket(host, CASE WHEN width > 1 THEN job % width ELSE 0 END), priority, url, name,
                    sha256, headers
                FROM (
                    SELECT nextval('jobs') AS job, host(item ->> 'url') AS host, item ->> 'url' AS url,
                        item ->> 'name' AS name, decode(item ->> 'sha256', 'hex') AS sha256,
                        coalesce((item ->> 'priority')::smallint, 0) AS priority,
                        CASE jsonb_typeof(item -> 'headers') WHEN 'null' THEN NULL ELSE item -> 'headers' END AS headers
                    FROM jsonb_array_elements(list) WITH ORDINALITY AS l(item, place) ORDER BY place
                ) AS listed LEFT JOIN hosts USING (host);
            IF NOT FOUND THEN RAISE EXCEPTION 'a batch has at least one item'; END IF;
            PERFORM enqueue(made);
            RETURN made;
        END $$;

        -- What others may read, without header fields.
        CREATE VIEW records AS
            SELECT job, i.batch, i.url, i.name,
                CASE r.state WHEN 1 THEN 'done' WHEN 2 THEN 'failed' WHEN 3 THEN 'cancelled' END AS state,
                r.finished_at, r.bytes, encode(r.sha256, 'hex') AS sha256, n.name AS node, r.document, r.error,
                (ARRAY['counted', 'unreadable', 'crashed', 'timed_out', 'skipped'])[r.outcome + 1] AS outcome,
                r.faces, r.detection
            FROM results r JOIN items i USING (job) LEFT JOIN nodes n ON n.node = r.node;

        -- Nobody but the fleet's own role sees anything, until init is told who may.
        REVOKE ALL ON SCHEMA \(schema) FROM PUBLIC;
        REVOKE ALL ON ALL TABLES IN SCHEMA \(schema) FROM PUBLIC;
        REVOKE ALL ON ALL FUNCTIONS IN SCHEMA \(schema) FROM PUBLIC;
        """
    }

    /// Columns that tell how fast the fleet is.
    static let times = """
        -- How fast the fleet is, and what is old. Results come in the order of time, so it takes almost no room.
        CREATE INDEX results_by_time ON results USING brin (finished_at) WITH (pages_per_range = 16);
        """

    /// A faster way to read hosts.
    static let hosts = """
        -- The host of a URL, by which the fleet is polite: most authorities have nothing that takes a pattern to read.
        CREATE OR REPLACE FUNCTION host(url text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT rtrim(lower(
                CASE WHEN translate(split_part(url, '/', 3), '@?#[', '') = split_part(url, '/', 3)
                        AND split_part(url, '/', 2) = ''
                    THEN split_part(split_part(url, '/', 3), ':', 1)
                    ELSE (regexp_match(url,
                        '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?(\\[[^\\]/?#]*\\]|[^:/?#]*)'))[1] END), '.')
        $$;
        ALTER TABLE items DROP CONSTRAINT items_url_check, ADD CONSTRAINT items_url_check CHECK (
            (starts_with(url, 'https://') OR starts_with(url, 'http://'))
                AND left(split_part(url, '/', 3), 1) NOT IN ('', '?', '#')
            OR url ~* '^https?://[^/?#]');
        """
}
