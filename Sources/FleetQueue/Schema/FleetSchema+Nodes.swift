extension FleetSchema {
    /// Since when a node is gone, and whether a person has removed it from the list.
    ///
    /// Its row stays, because results name it.
    static let goneNodes = """
        ALTER TABLE nodes ADD COLUMN gone_at timestamptz, ADD COLUMN removed_at timestamptz;
        UPDATE nodes SET gone_at = now() WHERE expires_at = '-infinity';
        """

    /// Adds a table of what each node holds, a row a claim: so whoever takes over, comes back or leaves reads
    /// what is held, and not what waits; and when a job was last blamed for a node's end.
    static let slices = """
        CREATE TABLE slices (token bigint PRIMARY KEY, node int NOT NULL, jobs bigint[] NOT NULL);
        CREATE INDEX slices_by_node ON slices (node);
        INSERT INTO slices SELECT token, node, array_agg(job ORDER BY job) FROM queue WHERE node IS NOT NULL
            GROUP BY token, node;
        ALTER TABLE queue ADD COLUMN blamed_at timestamptz;
        ALTER TABLE paused ADD COLUMN blamed_at timestamptz;
        """

    /// Why a node has given its buckets up, which don't come back to it while it rests.
    static let restingNodes = """
        ALTER TABLE nodes ADD COLUMN resting text, ADD COLUMN resting_since timestamptz;
        """
}
