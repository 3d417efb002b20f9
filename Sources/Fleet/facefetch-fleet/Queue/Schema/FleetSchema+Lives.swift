extension FleetSchema {
    /// The lives of the fleet, the newest last: ``FleetLife``.
    ///
    /// A row stands with the place in which it was written: the cluster, the timeline of its WAL, and the numbers that
    /// the database and this table have there. A promoted standby and a recovery from an archive have another timeline,
    /// and what came from a dump has other numbers: so whoever connects sees that the last life is over.
    static func lives(_ schema: String) -> String {
        """
        CREATE TABLE lives (
            life int PRIMARY KEY,
            id text NOT NULL UNIQUE,
            place text NOT NULL,
            timeline text NOT NULL,
            first xid8,
            began_at timestamptz NOT NULL DEFAULT now()
        );

        CREATE FUNCTION place() RETURNS text LANGUAGE sql STABLE SET search_path = \(schema), pg_temp AS $$
            SELECT concat_ws('-', (SELECT system_identifier FROM pg_control_system()),
                (SELECT oid FROM pg_database WHERE datname = current_database()), 'lives'::regclass::oid)
        $$;

        -- NULL on a standby, which follows whatever its primary is.
        CREATE FUNCTION timeline() RETURNS text LANGUAGE sql STABLE SET search_path = \(schema), pg_temp AS $$
            SELECT CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END
        $$;

        -- The id of the present life; NULL where the last one is over.
        CREATE FUNCTION life() RETURNS text
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = \(schema), pg_temp AS $$
            SELECT id FROM (SELECT * FROM lives ORDER BY life DESC LIMIT 1) AS l
            WHERE place = place() AND timeline = coalesce(timeline(), timeline)
        $$;

        -- Begins a life behind the one of this id, if that is the last one and was in this place: what comes from a
        -- dump has records whose transactions are another cluster's, which init puts right first.
        CREATE FUNCTION begin_life(behind text) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = \(schema), pg_temp AS $$
        BEGIN
            LOCK TABLE lives IN SHARE ROW EXCLUSIVE MODE;
            IF EXISTS (SELECT FROM (SELECT * FROM lives ORDER BY life DESC LIMIT 1) AS l
                    WHERE id = behind AND place = place()) THEN
                PERFORM add_life();
            END IF;
        END $$;

        CREATE FUNCTION add_life() RETURNS void LANGUAGE sql SET search_path = \(schema), pg_temp AS $$
            INSERT INTO lives (life, id, place, timeline, first)
                SELECT coalesce(max(life), 0) + 1, left(replace(gen_random_uuid()::text, '-', ''), 12),
                    place(), timeline(),
                    CASE WHEN coalesce((array_agg(place ORDER BY life DESC))[1], place()) = place()
                        THEN pg_snapshot_xmin(pg_current_snapshot()) END
                FROM lives
        $$;
        SELECT add_life();
        """
    }

    /// Begins a life, unless this transaction has made the tables.
    ///
    /// What was restored otherwise than by recovery or from a dump, such as a copy of the disk, looks as before. Nodes
    /// that work meanwhile register again.
    static let nextLife = """
        LOCK TABLE lives IN SHARE ROW EXCLUSIVE MODE;
        SELECT add_life() WHERE NOT EXISTS (SELECT FROM lives WHERE began_at = now());
        """
}
