extension FleetSchema {
    /// Since when a node is gone, and whether a person has removed it from the list.
    ///
    /// Its row stays, because results name it.
    static let goneNodes = """
        ALTER TABLE nodes ADD COLUMN gone_at timestamptz, ADD COLUMN removed_at timestamptz;
        UPDATE nodes SET gone_at = now() WHERE expires_at = '-infinity';
        """
}
