import GRDB

/// The database schema: that of the first release, and the migrations of those after it, which only add.
///
/// How a migration is added is in the target's README.
enum Schema {
    static let migrator: DatabaseMigrator = {
        // Checking whether every job has its batch would take long, and stop the daemon from starting if
        // one hasn't.
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        migrator.registerMigration("0.2.0") { database in
            for statements in [batches, jobs, events, state, sources, FingerprintBlocks.table] {
                try database.execute(sql: statements)
            }
            try StoredNumbers().write(database)
        }
        return migrator
    }()

    /// Batches, and the answers to those of which nothing was new.
    ///
    /// The ids of a batch's jobs lie between `first_job` and `last_job`. Columns that end in `_clock` have readings
    /// of a clock that nobody sets (``SteadyClock``), here and in other tables.
    private static let batches = """
        CREATE TABLE batches (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            created_at INTEGER NOT NULL,
            submitted_by INTEGER,
            job_count INTEGER NOT NULL CHECK (job_count > 0),
            is_visible INTEGER NOT NULL CHECK (is_visible IN (0, 1)),
            idempotency_key TEXT UNIQUE,
            body_digest TEXT,
            first_job INTEGER NOT NULL DEFAULT 0,
            last_job INTEGER NOT NULL DEFAULT 0,
            created_clock INTEGER,
            lease INTEGER,
            known INTEGER,
            CHECK ((idempotency_key IS NULL) = (body_digest IS NULL))
        ) STRICT;
        CREATE INDEX hidden_batches ON batches (id) WHERE is_visible = 0;
        CREATE INDEX leased_batches ON batches (id) WHERE lease IS NOT NULL;

        CREATE TABLE empty_answers (
            id INTEGER PRIMARY KEY,
            idempotency_key TEXT NOT NULL UNIQUE,
            body_digest TEXT NOT NULL,
            known INTEGER NOT NULL
        ) STRICT;
        """

    /// A row holds what one turn told of one job; its id is that of its last event.
    private static let events = """
        CREATE TABLE events (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            count INTEGER NOT NULL CHECK (count > 0),
            time INTEGER NOT NULL,
            batch INTEGER NOT NULL,
            job INTEGER NOT NULL,
            body TEXT NOT NULL,
            clock INTEGER
        ) STRICT;
        """

    /// What is kept of all jobs together; a row that doesn't fit its mark is not believed.
    ///
    /// Of `job_counts`, batch 0 has the sums of all that can be seen.
    private static let state = """
        CREATE TABLE switches (
            name TEXT PRIMARY KEY,
            is_on INTEGER NOT NULL CHECK (is_on IN (0, 1))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE job_counts (
            batch INTEGER NOT NULL CHECK (batch >= 0),
            state TEXT NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 0),
            PRIMARY KEY (batch, state)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE clock (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            boot TEXT,
            ahead INTEGER NOT NULL,
            wall INTEGER NOT NULL,
            steady INTEGER NOT NULL,
            mark INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE numbers (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            job INTEGER NOT NULL,
            batch INTEGER NOT NULL,
            ending INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            forgotten_stored INTEGER NOT NULL DEFAULT 0,
            forgotten_done INTEGER NOT NULL DEFAULT 0,
            forgotten_failed INTEGER NOT NULL DEFAULT 0,
            forgotten_cancelled INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE identity (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL
        ) STRICT;
        INSERT INTO identity VALUES (1, lower(hex(randomblob(16))));
        """
}
