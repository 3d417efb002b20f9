import JobCore

/// A row of `jobs`, as the domain's ``Job``.
enum JobRecord {
    /// Everything a job is made of; `batches` gives its clock.
    static let selection =
        "SELECT \(JobColumn.allCases.map { "jobs.\($0.name)" }.joined(separator: ", ")), batches.created_at "
        + "FROM jobs JOIN batches ON batches.id = jobs.batch"

    /// Reads a row of ``selection``.
    ///
    /// - Throws: ``StoreFailure`` when a value can't have been written by us.
    static func job(_ row: StoredRow) throws -> Job {
        let id = JobID(rawValue: row[.id])
        guard let url = try? JobURL(row[.url] ?? ""), let state = JobState(rawValue: row[.state] ?? "") else {
            throw StoreFailure.broken("job \(id.rawValue) in the store makes no sense")
        }
        var job = Job(
            id: id,
            batch: BatchID(rawValue: row[.batch]),
            createdAt: Timestamp(microseconds: row.integer(JobColumn.allCases.count)),
            url: url,
            name: row[.name] ?? ""
        )
        job.state = state
        job.hasGivenName = row[.hasGivenName]
        job.path = row[.path]
        job.priority = row[.priority]
        job.expectedSHA256 = row[.expectedSHA256]
        job.bytes = row[.bytes]
        job.totalBytes = row[.totalBytes]
        if let tag: String = row[.entityTag] {
            job.validator = .entityTag(tag)
        } else if let date: String = row[.lastModified] {
            job.validator = .lastModified(date)
        }
        job.lengthUnproven = row[.lengthUnproven]
        job.loggedSteps = row[.loggedSteps]
        job.loggedBytes = row[.loggedBytes]
        job.durableBytes = row[.durableBytes]
        job.partialBoot = row[.partialBoot]
        job.toldOfFullDisk = row[.toldOfFullDisk]
        job.hasStarted = row[.hasStarted]
        job.hasFinished = row[.hasFinished]
        job.attempts = row[.attempts]
        job.fruitlessTries = row[.fruitlessTries]
        job.strugglingSince = row[.strugglingSince]
        if let until: Timestamp = row[.waitingUntil] {
            let reason = JobFailure(FailureCode(rawValue: row[.waitingCode] ?? ""), row[.waitingReason] ?? "")
            job.waiting = Job.Waiting(reason: reason, until: until)
        }
        if let code: String = row[.errorCode] {
            job.failure = JobFailure(FailureCode(rawValue: code), row[.errorMessage] ?? "")
        }
        job.sha256 = (row[.sha256] as String?).flatMap { $0.isEmpty ? nil : $0 }
        if let name: String = row[.reservedName], let inode: Int64 = row[.reservedInode] {
            let sealed = SealedPartial(
                inode: UInt64(bitPattern: inode),
                length: row[.reservedLength],
                sha256: job.sha256
            )
            job.reservation = Job.Reservation(name: name, sealed: sealed)
            job.sha256 = nil
        }
        job.detectionDeferred = row[.detectionDeferred]
        job.detection = row.detection
        job.detectionDemand = (row[.detectionDemand] as String?).flatMap(DetectionDemand.init(word:))
        job.finishedAt = row[.finishedAt]
        if let text: String = row[.segments] {
            // A map that can't be read claims nothing, rather than the whole of a sparse file.
            job.segments = SegmentMap(text: text) ?? SegmentMap()
        }
        if let text: String = row[.headers] { job.headers = HeadersText.decode(text) }
        job.rateLimit = row[.rateLimit]
        job.furthestBytes = row[.furthestBytes]
        return job
    }
}

extension StoredRow {
    fileprivate subscript(_ column: JobColumn) -> Int64 { integer(column.rawValue) }

    fileprivate subscript(_ column: JobColumn) -> Int { Int(integer(column.rawValue)) }

    fileprivate subscript(_ column: JobColumn) -> Bool { integer(column.rawValue) != 0 }

    fileprivate subscript(_ column: JobColumn) -> String? { text(column.rawValue) }

    fileprivate subscript(_ column: JobColumn) -> Int64? {
        isNull(column.rawValue) ? nil : integer(column.rawValue)
    }

    fileprivate subscript(_ column: JobColumn) -> Timestamp? {
        (self[column] as Int64?).map { Timestamp(microseconds: $0) }
    }

    /// What came of looking for faces.
    fileprivate var detection: DetectionResult? {
        guard let outcome = (self[.detectionOutcome] as String?).flatMap(DetectionOutcome.init) else {
            return nil
        }
        return DetectionResult(
            outcome: outcome,
            faces: FacesText.decode(self[.detectionFaces] ?? ""),
            engine: self[.detectionEngine] ?? "",
            parameters: self[.detectionParameters] ?? "",
            sharedFrom: (self[.detectionSharedFrom] as Int64?).map { JobID(rawValue: $0) },
            seconds: real(JobColumn.detectionSeconds.rawValue)
        )
    }
}
