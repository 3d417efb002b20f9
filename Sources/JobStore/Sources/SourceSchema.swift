import GRDB

/// The tables of sources.
enum SourceSchema {
    /// Sources, what items they know, and what was read of them.
    ///
    /// Jobs outlive their source, and a source outlives its jobs: nothing refers to a row of the others.
    static func v12(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE sources (
                    id INTEGER PRIMARY KEY CHECK (id > 0),
                    -- None for one that was removed, while its keys go.
                    name TEXT UNIQUE CHECK (name <> ''),
                    recipe TEXT NOT NULL,
                    state TEXT NOT NULL
                ) STRICT;

                -- A key has the 128 bits of a hash: ten million items are some hundred megabytes.
                CREATE TABLE source_keys (
                    source INTEGER NOT NULL,
                    high INTEGER NOT NULL,
                    low INTEGER NOT NULL,
                    job INTEGER NOT NULL,
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

                -- How many of a source's jobs stand where is asked before each page.
                CREATE INDEX states_of_sources ON jobs (source, state) WHERE source IS NOT NULL;
                """
        )
    }

    /// Adds the items that go to a fleet's queue.
    ///
    /// AUTOINCREMENT has SQLite remember the largest number ever given, also when its row is gone.
    static func handedItems(_ database: Database) throws {
        try database.execute(
            sql: """
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
        )
    }

    /// Adds the versions of items' pictures since they were fetched (``PictureVersion``); NULL for those that
    /// nobody has asked about.
    static func v18(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE source_keys ADD COLUMN checked_at INTEGER;
                ALTER TABLE source_keys ADD COLUMN entity_tag TEXT;
                ALTER TABLE source_keys ADD COLUMN last_modified TEXT;
                ALTER TABLE source_keys ADD COLUMN length INTEGER;
                """
        )
    }
}
