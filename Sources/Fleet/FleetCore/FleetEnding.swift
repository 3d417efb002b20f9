/// An ending of a job, as its daemon reports it.
public struct FleetEnding: Hashable, Sendable {
    /// The state that a job ended in.
    public enum State: String, Hashable, Sendable {
        /// Its document is stored and has been looked at.
        case done
        /// It has no document.
        case failed
        /// Somebody, or the node itself, has ended it.
        case cancelled
    }

    /// The job in the fleet.
    public var job: FleetJob
    /// The job in the daemon.
    public var local: Int64
    /// The state that it ended in.
    public var state: State
    /// The document's path on the node, if there is one.
    public var path: String?
    /// The folder of it in the daemon's documents directory; nil for that directory itself.
    public var folder: String?
    /// The document's length in bytes.
    public var bytes: Int64
    /// The document's SHA-256 in lower-case hex.
    public var sha256: String?
    /// The code of the reason why it failed.
    public var code: String?
    /// The daemon's name for the document, its folder, and what the server said of it, as JSON.
    public var facts: String?
    /// The reason why it failed, as JSON with code and message.
    public var error: String?
    /// The outcome of detection, in the API's word.
    public var outcome: String?
    /// The number of faces, where they were counted.
    public var faces: Int?
    /// The detection as JSON.
    public var detection: String?

    /// Creates an ending without a document.
    public init(job: FleetJob, local: Int64, state: State) {
        self.job = job
        self.local = local
        self.state = state
        bytes = 0
    }
}

/// A record of a job that has ended.
public struct FleetRecord: Hashable, Sendable {
    /// The states as they are stored.
    public enum State: Int, CaseIterable, Sendable {
        /// The document is stored and has been looked at.
        case done = 1
        /// There is no document.
        case failed = 2
        /// Somebody has cancelled the job's batch.
        case cancelled = 3
    }

    /// The outcomes of detection in the order of the numbers that are stored for them, from 0.
    public static let outcomes = ["counted", "unreadable", "crashed", "timed_out", "skipped"]

    /// The job.
    public var job: FleetJob
    /// The state that it ended in.
    public var state: State
    /// The document's length in bytes; nil without one.
    public var bytes: Int64?
    /// The document's SHA-256 in lower-case hex.
    public var sha256: String?
    /// The URI of the document, such as `file://NODE/path`.
    public var document: String?
    /// The reason why it failed, as JSON.
    public var error: String?
    /// The outcome of detection, by number.
    public var outcome: Int?
    /// The number of faces.
    public var faces: Int?
    /// The detection as JSON.
    public var detection: String?
    /// The daemon's name for the document, its folder, and what the server said of it, as JSON.
    public var facts: String?

    /// A record of nothing but a job's end.
    public init(job: FleetJob, state: State) {
        self.job = job
        self.state = state
    }

    /// The JSON of a reason to fail.
    public static func errorJSON(code: String, message: String) -> String {
        var quoted = ""
        for scalar in message.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.value < 0x20: quoted += " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return "{\"code\":\"\(code)\",\"message\":\"\(quoted)\"}"
    }
}

/// A plan that follows from a daemon's endings.
public struct ReportPlan: Hashable, Sendable {
    /// A plan for nothing, to which something is added.
    public init() {}

    /// Records to be written.
    public var records: [FleetRecord] = []
    /// Jobs that go back to the queue: a slice's end on this node is not the end of its jobs, and the fleet's
    /// own way to end one is to cancel its batch there.
    public var returned: [FleetJob] = []
    /// Jobs that go back, too, and count as having ended a node: somebody has cancelled them there, and would
    /// again and again if they were only queued.
    public var blamed: [FleetJob] = []

    /// Sorts endings.
    ///
    /// - Parameters:
    ///   - place: Where the documents are.
    ///   - spares: Whether the node itself has had a job cancelled, to give it back.
    public init(
        _ endings: [FleetEnding],
        in place: DocumentPlace,
        spares: (FleetJob) -> Bool = { _ in false }
    ) {
        for ending in endings {
            switch ending.state {
            case .cancelled where spares(ending.job): returned.append(ending.job)
            case .cancelled: blamed.append(ending.job)
            case .failed:
                var record = FleetRecord(job: ending.job, state: .failed)
                record.error = ending.error
                records.append(record)
            case .done:
                var record = FleetRecord(job: ending.job, state: .done)
                record.bytes = ending.bytes
                record.sha256 = ending.sha256
                record.document = place.address(of: ending)
                record.outcome = ending.outcome.flatMap { FleetRecord.outcomes.firstIndex(of: $0) }
                record.faces = ending.faces
                record.detection = ending.detection
                record.facts = ending.facts
                records.append(record)
            }
        }
    }

    /// True if no record has a text that the database may be unable to store.
    public var isBare: Bool {
        records.allSatisfy { $0.error == nil && $0.detection == nil && $0.facts == nil }
    }

    /// Leaves out the texts that the database may be unable to store; what matters of the records stays.
    public mutating func strip() {
        for index in records.indices {
            (records[index].error, records[index].detection, records[index].facts) = (nil, nil, nil)
        }
    }

    /// Returns the endings whose documents must go: those in whose place the database names something else, since
    /// others have taken the job over, it went back to the queue, or somebody has cancelled it; and, where documents
    /// are elsewhere, those that are recorded.
    ///
    /// Of what the database doesn't know the document stays: it may be in the record of another fleet, of a time that
    /// this database has lost, or of a batch that is forgotten.
    ///
    /// - Parameters:
    ///   - recorded: The jobs that stand in the record under this node's slice, from this report or from an earlier one
    ///     whose answer was lost.
    ///   - superseded: The jobs of which the database has something else.
    public static func leftovers(
        of endings: [FleetEnding],
        recorded: Set<FleetJob>,
        superseded: Set<FleetJob>,
        in place: DocumentPlace
    ) -> [FleetEnding] {
        endings.filter { ending in
            guard ending.path != nil else { return false }
            if recorded.contains(ending.job) { return !place.keepsLocalCopy }
            return superseded.contains(ending.job)
        }
    }
}
