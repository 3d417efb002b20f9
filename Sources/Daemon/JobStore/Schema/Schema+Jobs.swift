extension Schema {
    /// The table of jobs, with a column for each ``JobColumn``, and its indexes.
    ///
    /// An empty `path` is that of a document that was removed, and an empty `sha256` one that isn't computed yet.
    /// A list in a CHECK constraint would have SQLite make a temporary table each time that a row is checked, a third
    /// of the time of a change; hence the comparisons.
    static let jobs = """
        CREATE TABLE jobs (
            id INTEGER PRIMARY KEY CHECK (id > 0),
            batch INTEGER NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
            url TEXT NOT NULL,
            host TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state = 'queued' OR state = 'downloading' OR state = 'stored'
                OR state = 'detecting' OR state = 'done' OR state = 'waiting' OR state = 'paused'
                OR state = 'failed' OR state = 'cancelled'),
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
            headers TEXT,
            rate_limit INTEGER CHECK (rate_limit > 0),
            detection_demand TEXT,
            furthest_bytes INTEGER NOT NULL DEFAULT 0,
            detection_attempts INTEGER NOT NULL DEFAULT 0,
            document_mark TEXT,
            detection_of_changed INTEGER NOT NULL DEFAULT 0,
            waiting_clock INTEGER,
            finished_clock INTEGER,
            struggled INTEGER NOT NULL DEFAULT 0 CHECK (struggled >= 0),
            detection_width INTEGER,
            detection_height INTEGER,
            detection_orientation INTEGER,
            detection_format TEXT,
            source TEXT,
            item_key TEXT,
            meta TEXT,
            ended_stored INTEGER,
            ended_done INTEGER,
            ended_failed INTEGER,
            ended_cancelled INTEGER,
            detection_looks TEXT,
            is_evictable INTEGER NOT NULL DEFAULT 0,
            is_pinned INTEGER NOT NULL DEFAULT 0,
            served_clock INTEGER,
            evicted_at INTEGER,
            is_held INTEGER NOT NULL DEFAULT 0,
            weight INTEGER,
            detection_reason TEXT,
            told_of_shortages INTEGER,
            detection_damaged INTEGER,
            folder TEXT,
            asked_folder TEXT,
            response TEXT,
            detection_fingerprint INTEGER,
            detection_turned INTEGER,
            CHECK ((reserved_name IS NULL) = (reserved_inode IS NULL)),
            CHECK ((waiting_until IS NULL) = (waiting_code IS NULL)),
            CHECK ((error_code IS NULL) = (error_message IS NULL)),
            CHECK (state <> 'waiting' OR waiting_until IS NOT NULL),
            CHECK (state <> 'failed' OR error_code IS NOT NULL),
            CHECK (path IS NOT NULL OR state <> 'stored' AND state <> 'detecting' AND state <> 'done'),
            CHECK (path IS NULL OR sha256 IS NOT NULL)
        ) STRICT;
        CREATE INDEX jobs_by_state ON jobs (state);
        -- Most jobs that reserve a name are being published, and found by their state.
        CREATE INDEX steered_jobs_with_reservation ON jobs (id)
            WHERE reserved_name IS NOT NULL AND state IN ('queued', 'paused', 'cancelled', 'failed', 'done');
        CREATE INDEX jobs_by_content ON jobs (sha256) WHERE detection_outcome IS NOT NULL;
        CREATE INDEX jobs_by_stored ON jobs (ended_stored) WHERE ended_stored IS NOT NULL;
        CREATE INDEX jobs_by_done ON jobs (ended_done) WHERE ended_done IS NOT NULL;
        CREATE INDEX jobs_by_failed ON jobs (ended_failed) WHERE ended_failed IS NOT NULL;
        CREATE INDEX jobs_by_cancelled ON jobs (ended_cancelled) WHERE ended_cancelled IS NOT NULL;
        CREATE INDEX jobs_by_source ON jobs (source) WHERE source IS NOT NULL;
        -- How many of a source's jobs stand where is asked before each page.
        CREATE INDEX states_of_sources ON jobs (source, state) WHERE source IS NOT NULL;
        -- Documents that have the name of a sidecar are few, if there are any.
        CREATE INDEX documents_like_sidecars ON jobs (name COLLATE NOCASE)
            WHERE path IS NOT NULL AND \(JobStore.isSidecarName);
        CREATE INDEX evictable_documents ON jobs (id) WHERE is_evictable = 1 AND path <> '';
        CREATE INDEX documents_being_removed ON jobs (id) WHERE evicted_at IS NOT NULL AND path <> '';
        -- With the number of faces, what else lists are mostly filtered by.
        CREATE INDEX jobs_by_faces ON jobs (\(FacesText.count), batch, state)
            WHERE detection_outcome = 'counted';
        \(TextIndex.creation);
        """
}
