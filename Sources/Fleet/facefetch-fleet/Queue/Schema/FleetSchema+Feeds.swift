extension FleetSchema {
    /// What sources of daemons hand to the fleet: how far each daemon's items have come, by its store, and which of them
    /// the fleet has not done with, or nobody has told the daemon so yet.
    ///
    /// Numbers of items ascend, and a call takes what is above the last one, with the number that it moves, in one
    /// transaction: repeated, it changes nothing.
    static func feeds(_ schema: String) -> String {
        """
        CREATE TABLE feeds (store text PRIMARY KEY, through bigint NOT NULL);
        CREATE TABLE fed (
            store text NOT NULL,
            item bigint NOT NULL,
            batch bigint NOT NULL,
            job bigint NOT NULL,
            PRIMARY KEY (store, item)
        );

        CREATE FUNCTION feed(of_store text, of_source text, list jsonb) RETURNS bigint
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(schema), pg_temp AS $$
        DECLARE
            seen bigint;
            made bigint;
        BEGIN
            INSERT INTO feeds VALUES (of_store, 0) ON CONFLICT DO NOTHING;
            SELECT through INTO seen FROM feeds WHERE store = of_store FOR UPDATE;
            SELECT jsonb_agg(item ORDER BY (item ->> 'id')::bigint) INTO list FROM jsonb_array_elements(list) AS l(item)
                WHERE (item ->> 'id')::bigint > seen;
            IF list IS NULL THEN
                RETURN NULL;
            END IF;
            made := add(NULL, NULL, (SELECT jsonb_agg(item - 'id' ORDER BY place)
                FROM jsonb_array_elements(list) WITH ORDINALITY AS l(item, place)));
            UPDATE batches SET source = of_source WHERE batch = made;
            INSERT INTO fed SELECT of_store, (item ->> 'id')::bigint, made, job
                FROM jsonb_array_elements(list) WITH ORDINALITY AS l(item, place)
                JOIN (SELECT job, row_number() OVER (ORDER BY job) AS place FROM items WHERE batch = made) AS added
                    USING (place);
            UPDATE feeds SET through = (list -> -1 ->> 'id')::bigint WHERE store = of_store;
            RETURN made;
        END $$;
        """
    }
}
