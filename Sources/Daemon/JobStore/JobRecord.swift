import JobModel
import Vocabulary

/// The conversion of a row of `jobs` to the domain's ``Job``.
enum JobRecord {
    /// The query for everything in a job; its clock comes from `batches`.
    static let selection = selection(of: { _ in true })

    /// The query for what is shown of a job; what only the engine needs is read as if it weren't known, which
    /// saves a sixth of the time where a million are read.
    static let selectionOfShown = selection(of: \.isShown)

    private static func selection(of isChosen: (JobColumn) -> Bool) -> String {
        let columns = JobColumn.allCases.map { isChosen($0) ? $0.expression : "NULL" }
        return "SELECT \(columns.joined(separator: ", ")), batches.created_at, batches.created_clock "
            + "FROM jobs LEFT JOIN batches ON batches.id = jobs.batch"
    }

    /// Reads a row of ``selection``.
    ///
    /// Any row can be read: one that this program can't have written costs only its own job, see
    /// ``settle(_:storedState:)`` and ``JobURL/init(unreadable:)``.
    static func job(_ row: StoredRow) -> Job {
        let url = row[.url] ?? ""
        var job = Job(
            id: JobID(rawValue: row[.id]),
            batch: BatchID(rawValue: row[.batch]),
            createdAt: row.moment(JobColumn.allCases.count, JobColumn.allCases.count + 1)
                ?? Moment(microseconds: 0),
            url: (try? JobURL(url)) ?? (try? JobURL(object: url)) ?? JobURL(unreadable: url),
            name: row[.name].flatMap { isComponent($0) ? $0 : nil }
                ?? DocumentName.sanitized(row[.name] ?? "")
        )
        JobColumn.read(row, into: &job)
        if let tag: String = row[.entityTag] {
            job.validator = .entityTag(tag)
        } else if let date: String = row[.lastModified] {
            job.validator = .lastModified(date)
        }
        if let until = row.moment(.waitingUntil, .waitingClock) {
            let reason = JobFailure(FailureCode(rawValue: row[.waitingCode] ?? ""), row[.waitingReason] ?? "")
            job.waiting = Job.Waiting(reason: reason, until: until)
        }
        if let code: String = row[.errorCode] {
            job.failure = JobFailure(FailureCode(rawValue: code), row[.errorMessage] ?? "")
        }
        if let path: String = row[.reservedName], let inode: Int64 = row[.reservedInode],
            row[.reservedLength] as Int64 >= 0
        {
            let sealed = SealedPartial(
                inode: UInt64(bitPattern: inode),
                length: row.length(.reservedLength),
                sha256: job.sha256
            )
            if let reservation = Job.Reservation(path: path, sealed: sealed) {
                job.reservation = reservation
                job.sha256 = nil
            }
        }
        job.detection = row.detection
        job.finishedAt = row.moment(.finishedAt, .finishedClock)
        job.endings = JobColumn.endings(of: row)
        job.evictedAt = evictedAt(row, job)
        settle(&job, storedState: row[.state])
        return job
    }

    /// Returns when it was decided to remove the document; nil if it wasn't.
    ///
    /// Without the document's mark it wasn't, and a document that is gone was removed some time.
    private static func evictedAt(_ row: StoredRow, _ job: Job) -> Timestamp? {
        let time = (row[.evictedAt] as Int64?).map { Timestamp(stored: $0) }
        guard (row[.path] as String?) == "" else {
            return job.path == nil || job.documentMark == nil ? nil : time
        }
        return time ?? (job.finishedAt ?? job.createdAt).wall
    }

    /// Returns whether a name stays within its directory.
    ///
    /// Nothing more is asked: a document keeps its name, whatever rules later versions have for new ones.
    static func isComponent(_ name: String) -> Bool {
        (1...DocumentName.maximumBytes).contains(name.utf8.count) && name != "." && name != ".."
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    /// Sets the job's state from its row, or to failed if the row has no valid state or lacks what
    /// belongs to it.
    ///
    /// The resulting job meets the schema's constraints, so it can be written.
    private static func settle(_ job: inout Job, storedState: String?) {
        if let state = JobState(rawValue: storedState ?? ""), hasAllOf(state, job) {
            job.state = state
            if !state.isFinal { job.evictedAt = nil }
            return
        }
        job.state = .failed
        job.evictedAt = nil
        job.waiting = nil
        job.finishedAt = job.finishedAt ?? job.createdAt
        job.failure =
            job.failure ?? JobFailure(.storageError, "the stored data of this job can no longer be read")
    }

    private static func hasAllOf(_ state: JobState, _ job: Job) -> Bool {
        switch state {
        case .queued, .downloading, .paused, .cancelled: true
        case .waiting: job.waiting != nil
        case .stored, .detecting: job.path != nil
        case .done: job.path != nil || job.evictedAt != nil
        case .failed: job.failure != nil
        }
    }
}

extension StoredRow {
    subscript(_ column: JobColumn) -> Int64 { integer(column.rawValue) }

    subscript(_ column: JobColumn) -> Int { Int(integer(column.rawValue)) }

    subscript(_ column: JobColumn) -> Bool { integer(column.rawValue) != 0 }

    subscript(_ column: JobColumn) -> String? { text(column.rawValue) }

    subscript(_ column: JobColumn) -> Int64? {
        isNull(column.rawValue) ? nil : integer(column.rawValue)
    }

    /// Reads a number of attempts.
    func count(_ column: JobColumn) -> Int { min(max(self[column], 0), Int(Int32.max)) }

    /// Reads a folder in the documents directory; nil if there is none.
    func folder(_ column: JobColumn) -> DocumentFolder? {
        (self[column] as String?).flatMap(DocumentFolder.init(stored:))
    }

    /// Reads a file length, limited to what a file can have.
    func length(_ column: JobColumn) -> Int64 {
        min(max(self[column], 0), Job.largestLength)
    }

    /// Reads a moment from two columns, the second for the steady clock.
    fileprivate func moment(_ wall: JobColumn, _ steady: JobColumn) -> Moment? {
        moment(wall.rawValue, steady.rawValue)
    }

    /// Reads a moment from two columns, counted from 0, the second for the steady clock; nil if there is
    /// none.
    func moment(_ wall: Int, _ steady: Int) -> Moment? {
        guard !isNull(wall) else { return nil }
        return Moment(storedWall: integer(wall), steady: isNull(steady) ? nil : integer(steady))
    }

    /// The detection result, if there is one.
    fileprivate var detection: DetectionResult? {
        guard let outcome = (self[.detectionOutcome] as String?).flatMap(DetectionOutcome.init) else {
            return nil
        }
        let seconds = real(JobColumn.detectionSeconds.rawValue)
        var result = DetectionResult(
            outcome: outcome,
            faces: FacesText.decode(self[.detectionFaces] ?? ""),
            picture: SeenPicture(
                width: self[.detectionWidth],
                height: self[.detectionHeight],
                orientation: self[.detectionOrientation],
                format: self[.detectionFormat] ?? ""
            ),
            looks: Self.looks(self[.detectionLooks] ?? ""),
            reason: self[.detectionReason],
            engine: self[.detectionEngine] ?? "",
            parameters: self[.detectionParameters] ?? "",
            sharedFrom: (self[.detectionSharedFrom] as Int64?).map { JobID(rawValue: $0) },
            seconds: seconds.isFinite ? max(0, seconds) : 0
        )
        result.picture?.isDamaged = self[.detectionDamaged]
        if let bits = self[.detectionFingerprint] as Int64? {
            result.picture?.fingerprint = Fingerprint(bits: UInt64(bitPattern: bits))
            result.picture?.isFlat = bits == 0
        }
        result.picture?.turned = (self[.detectionTurned] as Int64?).flatMap { Int(exactly: $0) }
        result.isOfChangedDocument = self[.detectionOfChanged]
        return result
    }

    private static func looks(_ text: String) -> [Int] {
        // Most pictures are looked at once.
        if let size = Int(text) { return [size] }
        return text.split(separator: ",").compactMap { Int($0) }
    }
}

extension Moment {
    /// Creates a moment from a row's values; if damage has taken the steady clock's, the wall clock is assumed
    /// not to have been set.
    init(storedWall wall: Int64, steady: Int64?) {
        self.init(wall: Timestamp(stored: wall), steady: SteadyTime(stored: steady ?? wall))
    }
}
