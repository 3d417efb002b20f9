extension FleetSchema {
    /// The function `add`, which refuses what a daemon would refuse or leave out, with the item's place.
    ///
    /// A key that is known takes no number.
    static func adding(_ schema: String) -> String {
        #"""
        -- Why an item is refused for one of its members; NULL for none.
        CREATE FUNCTION refusal_of_members(item jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
            SELECT CASE
                WHEN jsonb_typeof(item) <> 'object' THEN 'this is no object'
                WHEN EXISTS (SELECT FROM jsonb_object_keys(item) AS k
                        WHERE k NOT IN ('url', 'name', 'folder', 'sha256', 'priority', 'headers', 'meta'))
                    THEN 'there is no member ' || (SELECT min(k) FROM jsonb_object_keys(item) AS k
                        WHERE k NOT IN ('url', 'name', 'folder', 'sha256', 'priority', 'headers', 'meta'))
                WHEN jsonb_typeof(item -> 'url') IS DISTINCT FROM 'string'
                        OR item ->> 'url' !~* '^https?://[^/?#]' OR item ->> 'url' ~ '[\x01-\x20]'
                    THEN 'url is not a URL that begins with http:// or https://'
                WHEN jsonb_typeof(item -> 'name') NOT IN ('string', 'null')
                        OR octet_length(item ->> 'name') > 255
                        OR item ->> 'name' !~ '^[^./\s\x01-\x1f\x7f]([^/\x01-\x1f\x7f]*[^/\s\x01-\x1f\x7f])?$'
                    THEN 'name is not the name of a file, of at most 255 bytes, that begins with no dot'
                WHEN jsonb_typeof(item -> 'folder') NOT IN ('string', 'null')
                        OR octet_length(item ->> 'folder') > 1024
                        OR item ->> 'folder' !~ '^[^./\s\x01-\x1f\x7f]([^/\x01-\x1f\x7f]*[^/\s\x01-\x1f\x7f])?(/[^./\s\x01-\x1f\x7f]([^/\x01-\x1f\x7f]*[^/\s\x01-\x1f\x7f])?){0,7}$'
                    THEN 'folder is not a relative path of at most 8 names, none of which begins with a dot'
                WHEN jsonb_typeof(item -> 'meta') NOT IN ('object', 'null') THEN 'meta is no object'
                WHEN jsonb_typeof(item -> 'meta') = 'object' AND item -> 'meta' ? 'fleet'
                    THEN 'the member fleet of meta is the fleet''s own'
                WHEN octet_length(item ->> 'meta') > 4000 THEN 'meta has more than 4000 bytes'
                WHEN jsonb_typeof(item -> 'sha256') NOT IN ('string', 'null')
                        OR item ->> 'sha256' !~ '^[0-9A-Fa-f]{64}$'
                    THEN 'sha256 is not a text of 64 hexadecimal digits'
                WHEN jsonb_typeof(item -> 'priority') NOT IN ('number', 'null')
                        OR item ->> 'priority' !~ '^-?[0-9]{1,3}$'
                    THEN 'priority is not a whole number from -100 to 100'
                WHEN (item ->> 'priority')::int NOT BETWEEN -100 AND 100
                    THEN 'priority is not a whole number from -100 to 100'
                WHEN jsonb_typeof(item -> 'headers') NOT IN ('object', 'null') THEN 'headers is no object'
                WHEN jsonb_typeof(item -> 'headers') = 'object' THEN (
                    SELECT min(CASE
                        WHEN name !~ '^[!#$%&''*+.^_`|~0-9A-Za-z-]+$' THEN 'this is no name of a header field: ' || name
                        WHEN jsonb_typeof(value) <> 'string' THEN 'the value of the header field ' || name || ' is no text'
                        WHEN value #>> '{}' !~ '^[ -~]*$' OR length(value #>> '{}') > 4000
                            THEN 'the value of the header field ' || name || ' has characters other than ASCII, or is too long'
                        END) FROM jsonb_each(item -> 'headers') AS h(name, value))
                END
        $$;

        -- Why an item is refused; NULL if it is taken.
        CREATE FUNCTION refusal(item jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
            SELECT coalesce(\#(schema).refusal_of_members(item), (
                SELECT 'the port of url is not a number from 1 to 65535'
                FROM (SELECT substring(item ->> 'url' FROM
                    '^[^:]*://(?:[^/?#]*@)?(?:\[[^\]/?#]*\]|[^:/?#]*):([^/?#]*)') AS port) AS p
                WHERE CASE WHEN port ~ '^0*[1-9][0-9]{0,4}$' THEN port::numeric > 65535 ELSE port <> '' END))
        $$;

        -- For other programs: adds [{"url", "name", "folder", "sha256", "priority", "headers", "meta"}, …] as one batch,
        -- and returns its number. A repeated key returns the first batch; with another digest it is refused.
        CREATE FUNCTION add(of_key text, digest text, list jsonb) RETURNS bigint
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = \#(schema), pg_temp AS $$
        DECLARE
            made bigint;
            known bytea;
            bad record;
        BEGIN
            IF jsonb_typeof(list) IS DISTINCT FROM 'array' OR list = '[]' THEN
                RAISE EXCEPTION 'a batch is a list of at least one item' USING ERRCODE = 'invalid_parameter_value';
            END IF;
            SELECT place, refusal(item) AS reason INTO bad
                FROM jsonb_array_elements(list) WITH ORDINALITY AS l(item, place)
                WHERE refusal(item) IS NOT NULL ORDER BY place LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION 'item %: %', bad.place, bad.reason USING ERRCODE = 'invalid_parameter_value';
            END IF;
            IF NOT EXISTS (SELECT FROM batches WHERE key = of_key) THEN
                INSERT INTO batches (key, body_digest) VALUES (of_key, digest::bytea)
                    ON CONFLICT (key) DO NOTHING RETURNING batch INTO made;
            END IF;
            IF made IS NULL THEN
                SELECT batch, body_digest INTO made, known FROM batches WHERE key = of_key;
                IF known IS DISTINCT FROM digest::bytea THEN
                    RAISE EXCEPTION 'this key has been used for another batch' USING ERRCODE = 'unique_violation';
                END IF;
                RETURN made;
            END IF;
            INSERT INTO items (job, batch, bucket, priority, url, name, sha256, headers, folder, meta)
                SELECT job, made, bucket(host, CASE WHEN width > 1 THEN job % width ELSE 0 END), priority, url, name,
                    sha256, headers, folder, meta
                FROM (
                    SELECT nextval('jobs') AS job, host(item ->> 'url') AS host, item ->> 'url' AS url,
                        item ->> 'name' AS name, decode(item ->> 'sha256', 'hex') AS sha256,
                        coalesce((item ->> 'priority')::smallint, 0) AS priority,
                        CASE jsonb_typeof(item -> 'headers') WHEN 'null' THEN NULL ELSE item -> 'headers' END AS headers,
                        item ->> 'folder' AS folder,
                        CASE jsonb_typeof(item -> 'meta') WHEN 'null' THEN NULL ELSE item -> 'meta' END AS meta
                    FROM jsonb_array_elements(list) WITH ORDINALITY AS l(item, place) ORDER BY place
                ) AS listed LEFT JOIN hosts USING (host);
            PERFORM enqueue(made);
            RETURN made;
        END $$;
        """#
    }
}
