extension Schema {
    /// The tables of sources: what items they know, what was read of them, and what goes to a fleet's queue.
    ///
    /// Jobs outlive their source, and a source outlives its jobs: nothing refers to a row of the others. A key has
    /// the 128 bits of a hash: ten million items are some hundred megabytes. The last four columns of a key are those
    /// of its item's ``PictureVersion``. AUTOINCREMENT has SQLite remember the largest number ever given, also when
    /// its row is gone.
    static let sources = """
        CREATE TABLE sources (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            -- None for one that was removed, while its keys go.
            name TEXT UNIQUE CHECK (name <> ''),
            recipe TEXT NOT NULL,
            state TEXT NOT NULL
        ) STRICT;

        CREATE TABLE source_keys (
            source INTEGER NOT NULL,
            high INTEGER NOT NULL,
            low INTEGER NOT NULL,
            job INTEGER NOT NULL,
            checked_at INTEGER,
            entity_tag TEXT,
            last_modified TEXT,
            length INTEGER,
            PRIMARY KEY (source, high, low)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE source_slices (
            source INTEGER NOT NULL,
            key TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (source, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE source_pages (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            source INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX pages_of_sources ON source_pages (source, id);

        CREATE TABLE handed_items (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source TEXT NOT NULL,
            url TEXT NOT NULL,
            name TEXT,
            folder TEXT,
            sha256 TEXT,
            priority INTEGER NOT NULL,
            meta TEXT
        ) STRICT;
        CREATE INDEX handed_items_by_source ON handed_items (source);
        """
}
