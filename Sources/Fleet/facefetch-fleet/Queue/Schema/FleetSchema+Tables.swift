extension FleetSchema {
    /// The tables of nodes and of what they are to do.
    ///
    /// A row of `slices` is what a node holds of one claim: so whoever takes over, comes back or leaves reads what is
    /// held, and not what waits.
    static let tables = """
        -- Who is alive; only the server's clock counts, and '-infinity' says that others may take over.
        CREATE TABLE nodes (
            node int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL UNIQUE,
            incarnation bigint NOT NULL DEFAULT 1,
            expires_at timestamptz NOT NULL,
            event bigint NOT NULL DEFAULT 0,
            info jsonb NOT NULL DEFAULT '{}',
            -- Since when it is gone, and whether a person has removed it: the row stays, because results name it.
            gone_at timestamptz,
            removed_at timestamptz,
            -- Why it has given its buckets up, which don't come back to it while it rests.
            resting text,
            resting_since timestamptz,
            -- Whether it finds nothing more in its buckets.
            idle boolean NOT NULL DEFAULT true
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
            width smallint NOT NULL DEFAULT 1 CHECK (width BETWEEN 1 AND 1024),
            -- The greatest that it has had: jobs stay in the buckets that they were added to.
            widest smallint NOT NULL DEFAULT 1
        );
        CREATE FUNCTION keep_widest() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NEW.widest := greatest(NEW.width, OLD.widest);
            RETURN NEW;
        END $$;
        CREATE TRIGGER keep_widest BEFORE INSERT OR UPDATE ON hosts FOR EACH ROW EXECUTE FUNCTION keep_widest();

        CREATE TABLE batches (
            batch bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            key text UNIQUE,
            body_digest bytea,
            created_at timestamptz NOT NULL DEFAULT now(),
            submitted_by text DEFAULT session_user,
            items bigint NOT NULL DEFAULT 0,
            source text
        );

        CREATE SEQUENCE jobs;
        CREATE SEQUENCE tokens;

        -- What was asked for. Header fields can be credentials: they go when the job has ended, and a mark says that
        -- there were some, since it can't be asked for again without them.
        CREATE TABLE items (
            job bigint PRIMARY KEY,
            batch bigint NOT NULL,
            bucket smallint NOT NULL,
            priority smallint NOT NULL DEFAULT 0 CHECK (priority BETWEEN -100 AND 100),
            url text NOT NULL CHECK (
                (starts_with(url, 'https://') OR starts_with(url, 'http://'))
                    AND left(split_part(url, '/', 3), 1) NOT IN ('', '?', '#')
                OR url ~* '^https?://[^/?#]'),
            name text,
            sha256 bytea CHECK (octet_length(sha256) = 32),
            headers jsonb CHECK (jsonb_typeof(headers) = 'object'),
            lost_headers boolean,
            folder text,
            meta jsonb CHECK (jsonb_typeof(meta) = 'object')
        );
        CREATE INDEX items_by_batch ON items (batch, job);
        CREATE INDEX items_by_url ON items (hashtextextended(url, 0));

        -- What is to be done: a row a job, marked with node and token while a node holds it. Its turn within the bucket
        -- follows from its priority; a lower one goes first.
        CREATE TABLE queue (
            job bigint NOT NULL,
            bucket smallint NOT NULL,
            turn smallint NOT NULL,
            not_before timestamptz NOT NULL DEFAULT '-infinity',
            node int,
            token bigint,
            takeovers smallint NOT NULL DEFAULT 0,
            blamed_at timestamptz
        ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
            autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0,
            autovacuum_analyze_threshold = 100000);
        CREATE INDEX queue_next ON queue (bucket, turn, job);
        CREATE UNIQUE INDEX queue_job ON queue (job);
        CREATE INDEX queue_suspects ON queue (bucket) WHERE takeovers >= 3;

        CREATE TABLE slices (
            token bigint PRIMARY KEY,
            node int NOT NULL,
            jobs bigint[] NOT NULL,
            fleet text NOT NULL
        );
        CREATE INDEX slices_by_node ON slices (node);

        -- What a person has paused lies apart, so that no claim steps over it.
        CREATE TABLE paused (
            job bigint PRIMARY KEY,
            bucket smallint NOT NULL,
            turn smallint NOT NULL,
            not_before timestamptz NOT NULL,
            takeovers smallint NOT NULL,
            blamed_at timestamptz
        );

        -- While there is a row, nobody claims anything.
        CREATE TABLE hold (
            one boolean PRIMARY KEY DEFAULT true CHECK (one),
            since timestamptz NOT NULL DEFAULT now(),
            reason text
        );
        """
}
