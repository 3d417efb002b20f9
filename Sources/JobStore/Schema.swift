import GRDB

/// The database schema, as named migrations that only add.
enum Schema {
    static let migrator: DatabaseMigrator = {
        // Checking whether every job has its batch would take long, and stop the daemon from starting if
        // one hasn't.
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        migrator.registerMigration("v1", migrate: v1)
        migrator.registerMigration("v2", migrate: v2)
        migrator.registerMigration("v3", migrate: v3)
        migrator.registerMigration("v4", migrate: v4)
        migrator.registerMigration("v5", migrate: v5)
        migrator.registerMigration("v6", migrate: v6)
        migrator.registerMigration("v7", migrate: v7)
        migrator.registerMigration("v8", migrate: v8)
        migrator.registerMigration("v9", migrate: v9)
        migrator.registerMigration("v10", migrate: v10)
        migrator.registerMigration("v11", migrate: v11)
        migrator.registerMigration("v12", migrate: SourceSchema.v12)
        migrator.registerMigration("v13", migrate: v13)
        migrator.registerMigration("v14", migrate: v14)
        migrator.registerMigration("v15", migrate: v15)
        migrator.registerMigration("v16", migrate: v16)
        migrator.registerMigration("v17", migrate: v17)
        migrator.registerMigration("v18", migrate: SourceSchema.v18)
        migrator.registerMigration("v19", migrate: v19)
        migrator.registerMigration("v20", migrate: v20)
        migrator.registerMigration("v21", migrate: v21)
        for (column, definition) in JobColumn.added {
            migrator.registerMigration(column.name.replacing("_", with: "-")) {
                try $0.change(sql: "ALTER TABLE jobs ADD COLUMN \(column.name) \(definition)")
            }
        }
        migrator.registerMigration("known-items", migrate: knownItems)
        migrator.registerMigration("fingerprints") { try $0.execute(sql: FingerprintBlocks.table) }
        migrator.registerMigration("handed-items", migrate: SourceSchema.handedItems)
        migrator.registerMigration("jobs-by-text") { try $0.execute(sql: TextIndex.creation) }
        return migrator
    }()

    /// Keeps how many items of a batch were left out as known, and the answers to batches of which none was left.
    private static func knownItems(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE batches ADD COLUMN known INTEGER;
                CREATE TABLE empty_answers (
                    id INTEGER PRIMARY KEY,
                    idempotency_key TEXT NOT NULL UNIQUE,
                    body_digest TEXT NOT NULL,
                    known INTEGER NOT NULL
                ) STRICT;
                """
        )
    }

    private static func v1(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE batches (
                    id INTEGER PRIMARY KEY CHECK (id > 0),
                    created_at INTEGER NOT NULL,
                    submitted_by INTEGER,
                    job_count INTEGER NOT NULL CHECK (job_count > 0),
                    is_visible INTEGER NOT NULL CHECK (is_visible IN (0, 1)),
                    idempotency_key TEXT UNIQUE,
                    body_digest TEXT,
                    CHECK ((idempotency_key IS NULL) = (body_digest IS NULL))
                ) STRICT;
                CREATE INDEX hidden_batches ON batches (id) WHERE is_visible = 0;

                CREATE TABLE jobs (
                    id INTEGER PRIMARY KEY CHECK (id > 0),
                    batch INTEGER NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
                    url TEXT NOT NULL,
                    host TEXT NOT NULL,
                    state TEXT NOT NULL CHECK (state IN ('queued', 'downloading', 'stored', 'detecting',
                        'done', 'waiting', 'paused', 'failed', 'cancelled')),
                    name TEXT NOT NULL CHECK (name <> ''),
                    has_given_name INTEGER NOT NULL CHECK (has_given_name IN (0, 1)),
                    path TEXT,
                    priority INTEGER NOT NULL CHECK (priority BETWEEN -100 AND 100),
                    expected_sha256 TEXT,
                    bytes INTEGER NOT NULL CHECK (bytes >= 0),
                    total_bytes INTEGER CHECK (total_bytes >= 0),
                    entity_tag TEXT,
                    last_modified TEXT,
                    length_unproven INTEGER NOT NULL CHECK (length_unproven IN (0, 1)),
                    logged_steps INTEGER NOT NULL CHECK (logged_steps BETWEEN 0 AND 10),
                    logged_bytes INTEGER NOT NULL,
                    durable_bytes INTEGER NOT NULL CHECK (durable_bytes >= 0),
                    partial_boot TEXT,
                    told_of_full_disk INTEGER NOT NULL CHECK (told_of_full_disk IN (0, 1)),
                    has_started INTEGER NOT NULL CHECK (has_started IN (0, 1)),
                    has_finished INTEGER NOT NULL CHECK (has_finished IN (0, 1)),
                    attempts INTEGER NOT NULL,
                    fruitless_tries INTEGER NOT NULL,
                    struggling_since INTEGER,
                    waiting_code TEXT,
                    waiting_reason TEXT,
                    waiting_until INTEGER,
                    error_code TEXT,
                    error_message TEXT,
                    reserved_name TEXT,
                    reserved_inode INTEGER,
                    reserved_length INTEGER,
                    sha256 TEXT,
                    detection_deferred INTEGER NOT NULL CHECK (detection_deferred IN (0, 1)),
                    detection_outcome TEXT,
                    detection_faces TEXT,
                    detection_engine TEXT,
                    detection_parameters TEXT,
                    detection_shared_from INTEGER,
                    detection_seconds REAL,
                    finished_at INTEGER,
                    segments TEXT,
                    CHECK ((reserved_name IS NULL) = (reserved_inode IS NULL)),
                    CHECK ((waiting_until IS NULL) = (waiting_code IS NULL)),
                    CHECK ((error_code IS NULL) = (error_message IS NULL)),
                    CHECK (state <> 'waiting' OR waiting_until IS NOT NULL),
                    CHECK (state <> 'failed' OR error_code IS NOT NULL),
                    CHECK (state NOT IN ('stored', 'detecting', 'done') OR path IS NOT NULL),
                    CHECK (path IS NULL OR sha256 IS NOT NULL)
                ) STRICT;
                CREATE INDEX jobs_by_batch ON jobs (batch, state);
                CREATE INDEX jobs_by_state ON jobs (state);
                CREATE INDEX jobs_with_reservation ON jobs (id) WHERE reserved_name IS NOT NULL;

                -- A row holds what one turn told of one job; its id is that of its last event.
                CREATE TABLE events (
                    id INTEGER PRIMARY KEY CHECK (id > 0),
                    count INTEGER NOT NULL CHECK (count > 0),
                    time INTEGER NOT NULL,
                    batch INTEGER NOT NULL,
                    job INTEGER NOT NULL,
                    body TEXT NOT NULL
                ) STRICT;

                CREATE TABLE switches (
                    name TEXT PRIMARY KEY,
                    is_on INTEGER NOT NULL CHECK (is_on IN (0, 1))
                ) STRICT, WITHOUT ROWID;
                """
        )
    }

    /// Keeps job numbers instead of counting, and drops indexes that every change had to update.
    private static func v2(_ database: Database) throws {
        try database.change(
            sql: """
                -- How many jobs stand where; batch 0 has the sums of all that can be seen.
                CREATE TABLE job_counts (
                    batch INTEGER NOT NULL CHECK (batch >= 0),
                    state TEXT NOT NULL,
                    number INTEGER NOT NULL CHECK (number >= 0),
                    PRIMARY KEY (batch, state)
                ) STRICT, WITHOUT ROWID;
                INSERT INTO job_counts SELECT batch, state, count(*) FROM jobs GROUP BY batch, state;
                INSERT INTO job_counts
                    SELECT 0, state, sum(number) FROM job_counts
                    JOIN batches ON batches.id = batch AND is_visible GROUP BY state;

                -- The ids of a batch's jobs lie between these.
                ALTER TABLE batches ADD COLUMN first_job INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE batches ADD COLUMN last_job INTEGER NOT NULL DEFAULT 0;
                UPDATE batches SET
                    first_job = coalesce((SELECT min(id) FROM jobs WHERE batch = batches.id), 0),
                    last_job = coalesce((SELECT max(id) FROM jobs WHERE batch = batches.id), 0);
                DROP INDEX jobs_by_batch;

                -- Most jobs that reserve a name are being published, and found by their state.
                DROP INDEX jobs_with_reservation;
                CREATE INDEX steered_jobs_with_reservation ON jobs (id)
                    WHERE reserved_name IS NOT NULL AND state IN ('queued', 'paused', 'cancelled', 'failed', 'done');
                """
        )
    }

    /// Adds options of a job: header fields (``HeadersText``) and a rate limit.
    private static func v3(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE jobs ADD COLUMN headers TEXT;
                ALTER TABLE jobs ADD COLUMN rate_limit INTEGER CHECK (rate_limit > 0);
                """
        )
    }

    /// Lets results be found by a document's content, and asked for again.
    private static func v4(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE jobs ADD COLUMN detection_demand TEXT;
                CREATE INDEX jobs_by_content ON jobs (sha256) WHERE detection_outcome IS NOT NULL;
                """
        )
    }

    /// Adds what distinguishes an attempt that made progress from one that only got as far as the last.
    private static func v5(_ database: Database) throws {
        try database.change(sql: "ALTER TABLE jobs ADD COLUMN furthest_bytes INTEGER NOT NULL DEFAULT 0")
    }

    /// Allows documents to be stored before their hash, which is an empty text until then.
    ///
    /// Only the version changes, so that no older program opens the store and takes the empty text for a
    /// hash.
    private static func v6(_ database: Database) throws {}

    /// Deletes the header fields of cancelled jobs.
    private static func v7(_ database: Database) throws {
        try database.execute(
            sql: "UPDATE jobs SET headers = NULL WHERE state = 'cancelled' AND headers IS NOT NULL"
        )
    }

    /// Counts detection attempts before they are made, for the start after a crash.
    ///
    /// Also records marks by which a document is known to be the file that was hashed and looked at.
    private static func v8(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE jobs ADD COLUMN detection_attempts INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE jobs ADD COLUMN document_mark TEXT;
                ALTER TABLE jobs ADD COLUMN detection_of_changed INTEGER NOT NULL DEFAULT 0;
                """
        )
    }

    /// Measures times by a clock that nobody sets (``SteadyClock``), whose readings are in the `_clock`
    /// columns; NULL where only the wall clock's reading is known.
    ///
    /// `jobs.struggling_since` is no longer used.
    private static func v9(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE batches ADD COLUMN created_clock INTEGER;
                ALTER TABLE jobs ADD COLUMN waiting_clock INTEGER;
                ALTER TABLE jobs ADD COLUMN finished_clock INTEGER;
                ALTER TABLE jobs ADD COLUMN struggled INTEGER NOT NULL DEFAULT 0 CHECK (struggled >= 0);
                ALTER TABLE events ADD COLUMN clock INTEGER;
                -- The steady clock itself; a row that doesn't fit its mark is not believed.
                CREATE TABLE clock (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    boot TEXT,
                    ahead INTEGER NOT NULL,
                    wall INTEGER NOT NULL,
                    steady INTEGER NOT NULL,
                    mark INTEGER NOT NULL
                ) STRICT;
                """
        )
    }

    /// Adds what is known about the picture that was looked at (``SeenPicture``); NULL for results of
    /// earlier versions.
    private static func v10(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE jobs ADD COLUMN detection_width INTEGER;
                ALTER TABLE jobs ADD COLUMN detection_height INTEGER;
                ALTER TABLE jobs ADD COLUMN detection_orientation INTEGER;
                ALTER TABLE jobs ADD COLUMN detection_format TEXT;
                """
        )
    }

    /// Adds the origin of jobs and their metadata, their endings by number (``JobEndings``), and the mark by
    /// which a follower recognizes the store.
    private static func v11(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE jobs ADD COLUMN source TEXT;
                ALTER TABLE jobs ADD COLUMN item_key TEXT;
                ALTER TABLE jobs ADD COLUMN meta TEXT;
                ALTER TABLE jobs ADD COLUMN ended_stored INTEGER;
                ALTER TABLE jobs ADD COLUMN ended_done INTEGER;
                ALTER TABLE jobs ADD COLUMN ended_failed INTEGER;
                ALTER TABLE jobs ADD COLUMN ended_cancelled INTEGER;
                CREATE TABLE numbers (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    job INTEGER NOT NULL,
                    batch INTEGER NOT NULL,
                    ending INTEGER NOT NULL,
                    forgotten INTEGER NOT NULL,
                    mark INTEGER NOT NULL
                ) STRICT;
                """
        )
        try EndingNumbers.give(database)
        try database.execute(
            sql: """
                CREATE INDEX jobs_by_stored ON jobs (ended_stored) WHERE ended_stored IS NOT NULL;
                CREATE INDEX jobs_by_done ON jobs (ended_done) WHERE ended_done IS NOT NULL;
                CREATE INDEX jobs_by_failed ON jobs (ended_failed) WHERE ended_failed IS NOT NULL;
                CREATE INDEX jobs_by_cancelled ON jobs (ended_cancelled) WHERE ended_cancelled IS NOT NULL;
                CREATE INDEX jobs_by_source ON jobs (source) WHERE source IS NOT NULL;
                -- The store itself.
                CREATE TABLE identity (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    name TEXT NOT NULL
                ) STRICT;
                INSERT INTO identity VALUES (1, lower(hex(randomblob(16))));
                """
        )
    }

    /// The sizes that a picture was looked at in, joined by commas; NULL for results of earlier versions.
    private static func v13(_ database: Database) throws {
        try database.change(sql: "ALTER TABLE jobs ADD COLUMN detection_looks TEXT")
    }

    /// Finds documents that have the name of a sidecar, which are few, if there are any.
    private static func v14(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE INDEX documents_like_sidecars ON jobs (name COLLATE NOCASE)
                WHERE path IS NOT NULL AND \(JobStore.isSidecarName)
                """
        )
    }

    /// Keeps apart what was forgotten of each kind of ending, so that nobody is told of a gap in what he never
    /// asked for; of what was forgotten before, the kinds aren't known.
    private static func v15(_ database: Database) throws {
        for ending in ["stored", "done", "failed", "cancelled"] {
            try database.change(
                sql: "ALTER TABLE numbers ADD COLUMN forgotten_\(ending) INTEGER NOT NULL DEFAULT 0"
            )
        }
        try StoredNumbers.takeOver(database)
    }

    /// Lets documents be removed to make room.
    ///
    /// The path of such a job is an empty text: the schema requires one for jobs that are done, and no older
    /// program opens the store.
    private static func v16(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE jobs ADD COLUMN is_evictable INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE jobs ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE jobs ADD COLUMN served_clock INTEGER;
                ALTER TABLE jobs ADD COLUMN evicted_at INTEGER;
                CREATE INDEX evictable_documents ON jobs (id) WHERE is_evictable = 1 AND path <> '';
                CREATE INDEX documents_being_removed ON jobs (id) WHERE evicted_at IS NOT NULL AND path <> '';
                """
        )
    }

    /// Lets batches have leases (``BatchLeases``), and distinguishes jobs paused by a lease from those paused
    /// by a person.
    private static func v17(_ database: Database) throws {
        try database.change(
            sql: """
                ALTER TABLE batches ADD COLUMN lease INTEGER;
                ALTER TABLE jobs ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX leased_batches ON batches (id) WHERE lease IS NOT NULL;
                """
        )
    }

    /// Gives jobs the weight of their flow (``JobOptions/weight``); NULL is 1.
    private static func v19(_ database: Database) throws {
        try database.change(sql: "ALTER TABLE jobs ADD COLUMN weight INTEGER")
    }

    /// Finds jobs by their number of faces, with what else lists are mostly filtered by.
    private static func v20(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE INDEX jobs_by_faces ON jobs (\(FacesText.count), batch, state)
                WHERE detection_outcome = 'counted'
                """
        )
    }

    /// Writes the conditions on states as comparisons, which takes a third off the time of each change.
    ///
    /// For a list in a CHECK constraint, SQLite makes a temporary table anew each time that a row is checked.
    /// What the constraints allow is the same, so the text of the schema is all there is to change
    /// (sqlite.org/lang_altertable.html, section 7). Where damage has made it another, it stays.
    private static func v21(_ database: Database) throws {
        let states = [
            "queued", "downloading", "stored", "detecting", "done", "waiting", "paused", "failed",
            "cancelled",
        ]
        let rewritten = [
            (
                """
                state IN ('queued', 'downloading', 'stored', 'detecting',
                        'done', 'waiting', 'paused', 'failed', 'cancelled')
                """, states.map { "state = '\($0)'" }.joined(separator: " OR ")
            ),
            (
                "state NOT IN ('stored', 'detecting', 'done') OR path IS NOT NULL",
                "path IS NOT NULL OR state <> 'stored' AND state <> 'detecting' AND state <> 'done'"
            ),
        ]
        let version = try Int.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
        try database.execute(sql: "PRAGMA writable_schema = ON")
        defer { try? database.execute(sql: "PRAGMA writable_schema = RESET") }
        for (list, comparisons) in rewritten {
            try database.execute(
                sql:
                    "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'jobs'",
                arguments: [list, comparisons]
            )
        }
        try database.execute(sql: "PRAGMA schema_version = \(version + 1)")
    }
}
