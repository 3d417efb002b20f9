/// The fleet's tables, as steps that only add.
///
/// Narrow and busy tables stand beside wide ones that are written once: marks in `queue` touch no index, so
/// they are HOT updates, and claiming costs the same however many jobs wait.
enum FleetSchema {
    /// The name of the channel on which the fleet is told of new jobs.
    static let channel = "ff"

    /// Returns whether a text can be a schema's name without being quoted.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 40 else { return false }
        let isLetter = { (byte: UInt8) in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "_")
        }
        return isLetter(first) && !text.hasPrefix("pg_")
            && text.utf8.allSatisfy { isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// The steps in order; each brings a schema to the version that is its place, from 1.
    static func steps(schema: String) -> [String] { [tables, functions(schema), times, hosts] }

    private static let tables = """
        -- Who is alive; only the server's clock counts, and '-infinity' says that others may take over.
        CREATE TABLE nodes (
            node int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL UNIQUE,
            incarnation bigint NOT NULL DEFAULT 1,
            expires_at timestamptz NOT NULL,
            event bigint NOT NULL DEFAULT 0,
            info jsonb NOT NULL DEFAULT '{}'
        ) WITH (fillfactor = 50);

        -- Hosts belong to buckets, and buckets to nodes.
        CREATE TABLE buckets (
            bucket smallint PRIMARY KEY,
            node int REFERENCES nodes,
            epoch bigint NOT NULL DEFAULT 0,
            draining boolean NOT NULL DEFAULT false
        ) WITH (fillfactor = 50);
        INSERT INTO buckets SELECT generate_series(0, 1023);

        -- Only hosts that are so big that several nodes share them.
        CREATE TABLE hosts (
            host text PRIMARY KEY,
            width smallint NOT NULL DEFAULT 1 CHECK (width BETWEEN 1 AND 1024)
        );

        CREATE TABLE batches (
            batch bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            key text UNIQUE,
            body_digest bytea,
            created_at timestamptz NOT NULL DEFAULT now(),
            submitted_by text DEFAULT session_user,
            items bigint NOT NULL DEFAULT 0
        );

        CREATE SEQUENCE jobs;
        CREATE SEQUENCE tokens;

        -- What was asked for. Header fields can be credentials: they go when the job has ended.
        CREATE TABLE items (
            job bigint PRIMARY KEY,
            batch bigint NOT NULL,
            bucket smallint NOT NULL,
            priority smallint NOT NULL DEFAULT 0 CHECK (priority BETWEEN -100 AND 100),
            url text NOT NULL CHECK (url ~* '^https?://[^/?#]'),
            name text,
            sha256 bytea CHECK (octet_length(sha256) = 32),
            headers jsonb CHECK (jsonb_typeof(headers) = 'object')
        );
        CREATE INDEX items_by_batch ON items (batch, job);

        -- What is to be done: a row a job, marked with node and token while a node holds it.
        CREATE TABLE queue (
            job bigint NOT NULL,
            bucket smallint NOT NULL,
            priority smallint NOT NULL,
            not_before timestamptz NOT NULL DEFAULT '-infinity',
            node int,
            token bigint,
            takeovers smallint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
            autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0,
            autovacuum_analyze_threshold = 100000);
        CREATE INDEX queue_next ON queue (bucket, priority DESC, job);
        CREATE UNIQUE INDEX queue_job ON queue (job);
        CREATE INDEX queue_suspects ON queue (bucket) WHERE takeovers >= 3;

        -- What a person has paused lies apart, so that no claim steps over it.
        CREATE TABLE paused (
            job bigint PRIMARY KEY,
            bucket smallint NOT NULL,
            priority smallint NOT NULL,
            not_before timestamptz NOT NULL,
            takeovers smallint NOT NULL
        );

        -- What has become of each job: 1 done, 2 failed, 3 cancelled; written once.
        CREATE TABLE results (
            job bigint PRIMARY KEY,
            batch bigint NOT NULL,
            node int NOT NULL,
            token bigint NOT NULL,
            state smallint NOT NULL CHECK (state BETWEEN 1 AND 3),
            finished_at timestamptz NOT NULL DEFAULT now(),
            bytes bigint,
            sha256 bytea,
            document text,
            error jsonb,
            outcome smallint,
            faces smallint,
            detection jsonb
        );
        CREATE INDEX results_by_batch ON results (batch, job);
        """

    private static let times = """
        -- How fast the fleet is, and what is old. Results come in the order of time, so it takes almost no room.
        CREATE INDEX results_by_time ON results USING brin (finished_at) WITH (pages_per_range = 16);
        """

    private static let hosts = """
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

    private static func functions(_ schema: String) -> String {
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
}
