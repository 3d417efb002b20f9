import FoundationEssentials
import GRDB
import JobCore

/// A row of `jobs`, to and from the domain's ``Job``.
struct JobRecord {
    let job: Job

    /// Everything a job is made of; `batches` gives its clock.
    static let selection =
        "SELECT \(columns.map { "jobs.\($0)" }.joined(separator: ", ")), batches.created_at "
        + "FROM jobs JOIN batches ON batches.id = jobs.batch"

    /// All columns, the id first; at most 64, for ``JobWriter``.
    static let columns = [
        "id", "batch", "url", "host", "state", "name", "has_given_name", "path", "priority",
        "expected_sha256", "bytes",
        "total_bytes", "entity_tag", "last_modified", "length_unproven", "logged_steps", "logged_bytes",
        "durable_bytes",
        "partial_boot", "told_of_full_disk",
        "has_started", "has_finished", "attempts", "fruitless_tries", "struggling_since", "waiting_code",
        "waiting_reason",
        "waiting_until", "error_code", "error_message", "reserved_name", "reserved_inode", "reserved_length",
        "sha256", "detection_deferred", "detection_outcome", "detection_faces", "detection_engine",
        "detection_parameters", "detection_shared_from", "detection_seconds", "finished_at",
        "segments", "headers", "rate_limit", "furthest_bytes",
    ]
    static let insertion =
        "INSERT INTO jobs (\(columns.joined(separator: ", "))) VALUES ("
        + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"

    init(_ job: Job) { self.job = job }

    /// The values of all columns.
    var row: [DatabaseValue] { values.map { $0?.databaseValue ?? .null } }

    private var values: [(any DatabaseValueConvertible)?] {
        var entityTag: String?
        var lastModified: String?
        switch job.validator {
        case .entityTag(let tag): entityTag = tag
        case .lastModified(let date): lastModified = date
        case nil: break
        }
        let sealed = job.reservation?.sealed
        return [
            job.id.rawValue, job.batch.rawValue, job.url.text, job.url.hostKey, job.state.rawValue, job.name,
            job.hasGivenName,
            job.path, job.priority, job.expectedSHA256, job.bytes, job.totalBytes, entityTag, lastModified,
            job.lengthUnproven, job.loggedSteps, job.loggedBytes, job.durableBytes, job.partialBoot,
            job.toldOfFullDisk,
            job.hasStarted, job.hasFinished,
            job.attempts,
            job.fruitlessTries, job.strugglingSince?.microseconds, job.waiting?.reason.code.rawValue,
            job.waiting?.reason.message, job.waiting?.until.microseconds, job.failure?.code.rawValue,
            job.failure?.message, job.reservation?.name, sealed.map { Int64(bitPattern: $0.inode) },
            sealed?.length, job.sha256 ?? sealed?.sha256, job.detectionDeferred,
            job.detection?.outcome.rawValue, job.detection.map { FacesText.encode($0.faces) },
            job.detection?.engine, job.detection?.parameters, job.detection?.sharedFrom?.rawValue,
            job.detection?.seconds, job.finishedAt?.microseconds,
            job.segments?.text, HeadersText.encode(job.headers), job.rateLimit, job.furthestBytes,
        ]
    }

    /// Reads a row of ``selection``.
    ///
    /// - Throws: ``StoreFailure`` when a value can't have been written by us.
    init(row: Row) throws {
        let row = SelectedRow(row: row)
        let id = JobID(rawValue: row["id"])
        let text: String = row["url"]
        guard let url = try? JobURL(text), let state = JobState(rawValue: row["state"]) else {
            throw StoreFailure.broken("job \(id.rawValue) in the store makes no sense")
        }
        var job = Job(
            id: id,
            batch: BatchID(rawValue: row["batch"]),
            createdAt: Timestamp(microseconds: row["created_at"]),
            url: url,
            name: row["name"]
        )
        job.state = state
        job.hasGivenName = row["has_given_name"]
        job.path = row["path"]
        job.priority = row["priority"]
        job.expectedSHA256 = row["expected_sha256"]
        job.bytes = row["bytes"]
        job.totalBytes = row["total_bytes"]
        if let tag: String = row["entity_tag"] {
            job.validator = .entityTag(tag)
        } else if let date: String = row["last_modified"] {
            job.validator = .lastModified(date)
        }
        job.lengthUnproven = row["length_unproven"]
        job.loggedSteps = row["logged_steps"]
        job.loggedBytes = row["logged_bytes"]
        job.durableBytes = row["durable_bytes"]
        job.partialBoot = row["partial_boot"]
        job.toldOfFullDisk = row["told_of_full_disk"]
        job.hasStarted = row["has_started"]
        job.hasFinished = row["has_finished"]
        job.attempts = row["attempts"]
        job.fruitlessTries = row["fruitless_tries"]
        job.strugglingSince = (row["struggling_since"] as Int64?).map { Timestamp(microseconds: $0) }
        if let until: Int64 = row["waiting_until"] {
            let reason = JobFailure(
                FailureCode(rawValue: row["waiting_code"] ?? ""),
                row["waiting_reason"] ?? ""
            )
            job.waiting = Job.Waiting(reason: reason, until: Timestamp(microseconds: until))
        }
        if let code: String = row["error_code"] {
            job.failure = JobFailure(FailureCode(rawValue: code), row["error_message"] ?? "")
        }
        job.sha256 = row["sha256"]
        if let name: String = row["reserved_name"], let inode: Int64 = row["reserved_inode"] {
            let sealed = SealedPartial(
                inode: UInt64(bitPattern: inode),
                length: row["reserved_length"] ?? 0,
                sha256: job.sha256 ?? ""
            )
            job.reservation = Job.Reservation(name: name, sealed: sealed)
            job.sha256 = nil
        }
        job.detectionDeferred = row["detection_deferred"]
        if let outcome = (row["detection_outcome"] as String?).flatMap(DetectionOutcome.init) {
            job.detection = DetectionResult(
                outcome: outcome,
                faces: FacesText.decode(row["detection_faces"] ?? ""),
                engine: row["detection_engine"] ?? "",
                parameters: row["detection_parameters"] ?? "",
                sharedFrom: (row["detection_shared_from"] as Int64?).map { JobID(rawValue: $0) },
                seconds: row["detection_seconds"] ?? 0
            )
        }
        job.finishedAt = (row["finished_at"] as Int64?).map { Timestamp(microseconds: $0) }
        if let text: String = row["segments"] {
            // A map that can't be read claims nothing, rather than the whole of a sparse file.
            job.segments = SegmentMap(text: text) ?? SegmentMap()
        }
        if let text: String = row["headers"] { job.headers = HeadersText.decode(text) }
        job.rateLimit = row["rate_limit"]
        job.furthestBytes = row["furthest_bytes"]
        self.job = job
    }
}

/// A row of ``JobRecord/selection``, by the names of its columns.
///
/// GRDB looks a name up by comparing it with every column's; jobs are read by the thousand.
private struct SelectedRow {
    let row: Row

    private static let places = Dictionary(
        uniqueKeysWithValues: (JobRecord.columns + ["created_at"]).enumerated().map { ($1, $0) }
    )

    subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(name: String) -> Value {
        if let place = Self.places[name] { return row[place] }
        return row[name]
    }
}

/// Faces in one column: `x,y,width,height,confidence` each, joined by semicolons.
enum FacesText {
    static func encode(_ faces: [Face]) -> String {
        faces.map { "\($0.x),\($0.y),\($0.width),\($0.height),\($0.confidence)" }.joined(separator: ";")
    }

    static func decode(_ text: String) -> [Face] {
        text.split(separator: ";").compactMap { part in
            let numbers = part.split(separator: ",").compactMap { Double(String($0)) }
            guard numbers.count == 5 else { return nil }
            return Face(
                x: Int(numbers[0]),
                y: Int(numbers[1]),
                width: Int(numbers[2]),
                height: Int(numbers[3]),
                confidence: numbers[4]
            )
        }
    }
}
