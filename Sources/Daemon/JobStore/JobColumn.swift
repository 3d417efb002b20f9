import GRDB
import JobModel
import Vocabulary

/// The columns of `jobs`, in the order in which they are written and read; at most 128, because
/// ``JobWriter`` keeps a bit for each.
enum JobColumn: Int, CaseIterable {
    case id
    case batch
    case url
    case host
    case state
    case name
    case hasGivenName
    case path
    case priority
    case expectedSHA256
    case bytes
    case totalBytes
    case entityTag
    case lastModified
    case lengthUnproven
    case loggedSteps
    case loggedBytes
    case durableBytes
    case partialBoot
    case toldOfFullDisk
    case hasStarted
    case hasFinished
    case attempts
    case fruitlessTries
    case waitingCode
    case waitingReason
    case waitingUntil
    case errorCode
    case errorMessage
    case reservedName
    case reservedInode
    case reservedLength
    case sha256
    case detectionDeferred
    case detectionOutcome
    case detectionFaces
    case detectionEngine
    case detectionParameters
    case detectionSharedFrom
    case detectionSeconds
    case finishedAt
    case segments
    case headers
    case rateLimit
    case detectionDemand
    case furthestBytes
    case detectionAttempts
    case documentMark
    case detectionOfChanged
    case waitingClock
    case finishedClock
    case struggled
    case detectionWidth
    case detectionHeight
    case detectionOrientation
    case detectionFormat
    case source
    case itemKey
    case meta
    case endedStored
    case endedDone
    case endedFailed
    case endedCancelled
    case detectionLooks
    case isEvictable
    case isPinned
    case servedClock
    case evictedAt
    case isHeld
    case weight
    case detectionReason
    case toldOfShortages
    case detectionDamaged
    case folder
    case askedFolder
    case response
    case detectionFingerprint
    case detectionTurned

    /// The column's name in the schema, such as `has_given_name`.
    var name: String { Self.names[rawValue] }

    /// The SQL expression by which the column is read.
    var expression: String {
        switch self {
        // SQLite looks at it in a tenth of the time that it would take here.
        case .meta: "CASE WHEN json_valid(jobs.meta) THEN jobs.meta END"
        default: "jobs.\(name)"
        }
    }

    /// True if any answer about a job depends on the column.
    var isShown: Bool {
        switch self {
        case .host, .hasGivenName, .entityTag, .lastModified, .loggedSteps, .loggedBytes, .durableBytes,
            .partialBoot, .toldOfFullDisk, .toldOfShortages, .hasStarted, .hasFinished, .fruitlessTries,
            .detectionDeferred, .segments, .headers, .detectionDemand, .furthestBytes, .detectionAttempts,
            .detectionOfChanged, .struggled, .isEvictable, .servedClock:
            false
        default: true
        }
    }

    /// The columns in which jobs that are alike differ (``Job/isAlike(_:)``).
    static let ofEachJob: [JobColumn] = [.id, .url, .host, .name]

    /// The columns that depend on nothing but a job's options.
    static let ofOptions: [JobColumn] = [
        .expectedSHA256, .headers, .rateLimit, .source, .itemKey, .meta, .isEvictable, .weight,
        .askedFolder,
    ]

    /// The columns that depend on nothing but the result of looking for faces.
    static let ofDetection: [JobColumn] = [
        .detectionOutcome, .detectionFaces, .detectionEngine, .detectionParameters, .detectionSharedFrom,
        .detectionSeconds, .detectionOfChanged, .detectionWidth, .detectionHeight, .detectionOrientation,
        .detectionFormat, .detectionLooks, .detectionReason, .detectionDamaged, .detectionFingerprint,
        .detectionTurned,
    ]

    private static let names = allCases.map { column in
        switch column {
        case .expectedSHA256: "expected_sha256"
        default:
            "\(column)".reduce(into: "") { name, letter in
                name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
            }
        }
    }

    /// Returns the shortages that have been logged for a job, besides a full disk; nil for none.
    private static func shortages(of job: Job) -> Int64? {
        let others = job.toldOf.subtracting(.disk)
        return others.isEmpty ? nil : Int64(others.rawValue)
    }

    /// Returns the value of this column in a job's row.
    func value(of job: Job) -> DatabaseValue {
        switch self {
        case .id: job.id.rawValue.databaseValue
        case .batch: job.batch.rawValue.databaseValue
        case .url: job.url.text.databaseValue
        case .host: job.url.hostKey.databaseValue
        case .state: job.state.rawValue.databaseValue
        case .name: job.name.databaseValue
        case .hasGivenName: job.hasGivenName.databaseValue
        // An empty text means that the document was removed.
        case .path: Self.text(job.path ?? (job.evictedAt == nil ? nil : ""))
        case .priority: job.priority.databaseValue
        case .expectedSHA256: Self.text(job.expectedSHA256)
        case .bytes: job.bytes.databaseValue
        case .totalBytes: Self.integer(job.totalBytes)
        case .entityTag: if case .entityTag(let tag) = job.validator { tag.databaseValue } else { .null }
        case .lastModified:
            if case .lastModified(let date) = job.validator { date.databaseValue } else { .null }
        case .lengthUnproven: job.lengthUnproven.databaseValue
        case .loggedSteps: job.loggedSteps.databaseValue
        case .loggedBytes: job.loggedBytes.databaseValue
        case .durableBytes: job.durableBytes.databaseValue
        case .partialBoot: Self.text(job.partialBoot)
        case .toldOfFullDisk: job.toldOfFullDisk.databaseValue
        case .hasStarted: job.hasStarted.databaseValue
        case .hasFinished: job.hasFinished.databaseValue
        case .attempts: job.attempts.databaseValue
        case .fruitlessTries: job.fruitlessTries.databaseValue
        case .waitingCode: Self.text(job.waiting?.reason.code.rawValue)
        case .waitingReason: Self.text(job.waiting?.reason.message)
        case .waitingUntil: Self.integer(job.waiting?.until.wall.microseconds)
        case .errorCode: Self.text(job.failure?.code.rawValue)
        case .errorMessage: Self.text(job.failure?.message)
        case .reservedName: Self.text(job.reservation?.path)
        case .reservedInode: Self.integer(job.reservation.map { Int64(bitPattern: $0.sealed.inode) })
        case .reservedLength: Self.integer(job.reservation?.sealed.length)
        // An empty text means that the hash isn't computed yet: the schema requires a text beside each
        // path.
        case .sha256:
            Self.text(
                job.sha256 ?? job.reservation?.sealed.sha256
                    ?? (job.path == nil && job.evictedAt == nil ? nil : "")
            )
        case .detectionDeferred: job.detectionDeferred.databaseValue
        case .detectionOutcome: Self.text(job.detection?.outcome.rawValue)
        case .detectionFaces: Self.text(job.detection.map { FacesText.encode($0.faces) })
        case .detectionEngine: Self.text(job.detection?.engine)
        case .detectionParameters: Self.text(job.detection?.parameters)
        case .detectionSharedFrom: Self.integer(job.detection?.sharedFrom?.rawValue)
        case .detectionSeconds: job.detection?.seconds.databaseValue ?? .null
        case .finishedAt: Self.integer(job.finishedAt?.wall.microseconds)
        case .segments: Self.text(job.segments?.text)
        case .headers: Self.text(HeadersText.encode(job.headers))
        case .rateLimit: Self.integer(job.rateLimit)
        case .detectionDemand: Self.text(job.detectionDemand?.word)
        case .furthestBytes: job.furthestBytes.databaseValue
        case .detectionAttempts: job.detectionAttempts.databaseValue
        case .documentMark: Self.text(job.documentMark?.text)
        case .detectionOfChanged: (job.detection?.isOfChangedDocument ?? false).databaseValue
        case .waitingClock: Self.integer(job.waiting?.until.steady.microseconds)
        case .finishedClock: Self.integer(job.finishedAt?.steady.microseconds)
        case .detectionWidth: Self.integer(job.detection?.picture.map { Int64($0.width) })
        case .detectionHeight: Self.integer(job.detection?.picture.map { Int64($0.height) })
        case .detectionOrientation: Self.integer(job.detection?.picture.map { Int64($0.orientation) })
        case .detectionFormat: Self.text(job.detection?.picture?.format.rawValue)
        case .source: Self.text(job.source)
        case .itemKey: Self.text(job.itemKey)
        case .meta: Self.text(job.meta?.text)
        case .endedStored: Self.integer(job.endings[.stored])
        case .endedDone: Self.integer(job.endings[.done])
        case .endedFailed: Self.integer(job.endings[.failed])
        case .endedCancelled: Self.integer(job.endings[.cancelled])
        case .detectionLooks:
            Self.text(job.detection.map { $0.looks.map(String.init).joined(separator: ",") })
        case .detectionReason: Self.text(job.detection?.reason)
        case .detectionDamaged: Self.integer(job.detection?.picture?.isDamaged == true ? 1 : nil)
        case .detectionFingerprint:
            Self.integer(
                job.detection?.picture.flatMap { picture in
                    picture.fingerprint.map { Int64(bitPattern: $0.bits) } ?? (picture.isFlat ? 0 : nil)
                }
            )
        case .detectionTurned: Self.integer(job.detection?.picture?.turned.map { Int64($0) })
        // Of the disk there is a column of its own.
        case .toldOfShortages: Self.integer(Self.shortages(of: job))
        case .folder: Self.text(job.publishedFolder.isTop ? nil : job.publishedFolder.path)
        case .askedFolder: Self.text(job.options.folder?.path)
        case .response: Self.text(job.response?.text)
        case .isEvictable: job.isEvictable.databaseValue
        case .isPinned: job.isPinned.databaseValue
        case .servedClock: Self.integer(job.servedAt?.microseconds)
        case .evictedAt: Self.integer(job.evictedAt?.microseconds)
        case .isHeld: job.isHeld.databaseValue
        // NULL is 1, as almost all are.
        case .weight: job.weight == 1 ? .null : job.weight.databaseValue
        case .struggled: Int64(min(max(0, job.struggled * 1_000_000), 1e18)).databaseValue
        }
    }

    /// Reads what each has a column of its own into a job, from its row; here, beside the code that writes it.
    ///
    /// What takes several columns, or depends on others, is read by ``JobRecord``.
    static func read(_ row: StoredRow, into job: inout Job) {
        job.hasGivenName = row[.hasGivenName]
        job.path = (row[.path] as String?).flatMap { $0.isEmpty ? nil : $0 }
        job.priority = min(max(row[.priority], -100), 100)
        job.options = options(of: row)
        job.bytes = row.length(.bytes)
        job.totalBytes = (row[.totalBytes] as Int64?).map { _ in row.length(.totalBytes) }
        job.lengthUnproven = row[.lengthUnproven]
        job.loggedSteps = min(max(row[.loggedSteps], 0), 10)
        job.loggedBytes = row.length(.loggedBytes)
        job.durableBytes = row.length(.durableBytes)
        job.partialBoot = row[.partialBoot]
        job.toldOf = Job.Shortages(rawValue: row[.toldOfShortages]).intersection([
            .resources, .place, .recipe, .host, .otherHost, .certificate,
        ])
        job.toldOfFullDisk = row[.toldOfFullDisk]
        job.hasStarted = row[.hasStarted]
        job.hasFinished = row[.hasFinished]
        job.attempts = row.count(.attempts)
        job.fruitlessTries = row.count(.fruitlessTries)
        job.struggled = Double(max(0, row[.struggled] as Int64)) / 1_000_000
        job.sha256 = (row[.sha256] as String?).flatMap { $0.isEmpty ? nil : $0 }
        job.detectionDeferred = row[.detectionDeferred]
        job.detectionDemand = (row[.detectionDemand] as String?).flatMap(DetectionDemand.init(word:))
        job.documentMark = (row[.documentMark] as String?).flatMap(FileMark.init(text:))
        job.detectionAttempts = row.count(.detectionAttempts)
        if let text: String = row[.segments] {
            // An unreadable map must claim nothing, rather than the whole of a sparse file.
            job.segments = SegmentMap(text: text) ?? SegmentMap()
        }
        job.furthestBytes = row.length(.furthestBytes)
        job.response = (row[.response] as String?).flatMap(ServerResponse.init(text:))
        job.isPinned = row[.isPinned]
        job.isHeld = row[.isHeld]
        job.publishedFolder = row.folder(.folder) ?? DocumentFolder()
        job.servedAt = (row[.servedClock] as Int64?).map { SteadyTime(stored: $0) }
    }

    /// Reads a job's options from its row.
    private static func options(of row: StoredRow) -> JobOptions {
        JobOptions(
            expectedSHA256: row[.expectedSHA256],
            headers: (row[.headers] as String?).map(HeadersText.decode) ?? [],
            rateLimit: (row[.rateLimit] as Int64?).flatMap { $0 > 0 ? $0 : nil },
            meta: (row[.meta] as String?).flatMap(JobMeta.init(stored:)),
            source: row[.source],
            itemKey: row[.itemKey],
            isEvictable: row[.isEvictable],
            weight: weight(stored: row[.weight] ?? 1),
            folder: row.folder(.askedFolder)
        )
    }

    /// Returns the weight that a number in the store stands for, which damage can have made any.
    static func weight(stored number: Int64) -> Int {
        Int(min(max(number, Int64(JobOptions.weights.lowerBound)), Int64(JobOptions.weights.upperBound)))
    }

    /// Returns the column of an ending's number.
    static func number(of ending: JobEnding) -> JobColumn {
        switch ending {
        case .stored: .endedStored
        case .done: .endedDone
        case .failed: .endedFailed
        case .cancelled: .endedCancelled
        }
    }

    /// Reads the numbers of a job's endings, without those that can't have been given by counting.
    static func endings(of row: StoredRow) -> JobEndings {
        var endings = JobEndings()
        for ending in JobEnding.allCases {
            let number: Int64 = row[number(of: ending)]
            if number <= JobStore.largestID { endings[ending] = number }
        }
        return endings
    }

    private static func text(_ text: String?) -> DatabaseValue { text?.databaseValue ?? .null }

    private static func integer(_ integer: Int64?) -> DatabaseValue { integer?.databaseValue ?? .null }
}
