import GRDB
import JobModel
import Vocabulary

/// Known values of the rows of jobs that are being worked on, so that only changes are written.
///
/// It is bounded: what has been neither written nor read for long is forgotten, and then written whole.
struct KnownRows {
    /// The known values of a row.
    enum Row {
        /// Its values in column order, as they were read: they can be damaged.
        case read([DatabaseValue])
        /// The job whose values it has, since they were written.
        case written(Job)

        /// The state; nil if the row has none.
        var state: String? {
            switch self {
            case .read(let values): String.fromDatabaseValue(values[JobColumn.state.rawValue])
            case .written(let job): job.state.rawValue
            }
        }

        /// True if the row has a fingerprint.
        var hasFingerprint: Bool {
            switch self {
            case .read(let values): !values[JobColumn.detectionFingerprint.rawValue].isNull
            case .written(let job): job.fingerprint != nil
            }
        }
    }

    private var recent: [JobID: Row] = [:]
    private var older: [JobID: Row] = [:]

    /// The number of rows after which those before them are forgotten, enough for all jobs being worked on.
    static let limit = 1024

    /// True if no row is known.
    var isEmpty: Bool { recent.isEmpty && older.isEmpty }

    /// The row of a job; nil if it isn't known.
    subscript(job: JobID) -> Row? {
        get { recent[job] ?? older[job] }
        set {
            guard let newValue else {
                recent[job] = nil
                older[job] = nil
                return
            }
            if older[job] != nil, recent[job] == nil {
                // Rows read as one long list and then written in turn must not push each other out.
                older[job] = newValue
                return
            }
            if recent.count >= Self.limit, recent[job] == nil {
                older = recent
                recent.removeAll(keepingCapacity: true)
            }
            recent[job] = newValue
        }
    }
}

extension StoredRow {
    /// Reads all values of a row of ``JobRecord/selection``, before anything else is read of it: SQLite may
    /// convert a value to the type that was asked for.
    var values: [DatabaseValue] { JobColumn.allCases.map { value($0.rawValue) } }
}
