import ControlAPI

/// The state of the daemon that `watch` shows at one moment.
struct WatchView: Sendable {
    /// One file that is being fetched or looked at.
    struct File: Hashable, Sendable {
        /// What people call it.
        var name: String
        /// True once a detector looks at it.
        var isDetecting = false
        /// Bytes fetched.
        var bytes: Int64 = 0
        /// Length of the whole file, where known.
        var total: Int64?
        /// Whole percents, where the length is known.
        var percent: Int?
        /// Bytes a second, where known.
        var rate: Double?
    }

    /// The end of one job.
    struct Result: Hashable, Sendable {
        /// What came of it: "7 faces", "failed".
        var outcome: String
        /// What people call the file.
        var name: String
        /// Seconds on the batch's clock, or why it failed.
        var remark: String
        /// True when there is no document.
        var isBad: Bool
    }

    /// How many results are kept to be shown.
    private static let resultLimit = 200

    /// How the daemon is; nil before it has been asked.
    var status: StatusJSON?
    /// Where the daemon is.
    let socketPath: String
    /// A sentence to show at the bottom, as when the daemon is gone.
    var notice: String?
    /// The active files, by job.
    private(set) var files: [Int64: File] = [:]
    /// The last jobs that ended, newest first.
    private(set) var results: [Result] = []

    /// Nothing known yet.
    init(socketPath: String) { self.socketPath = socketPath }

    /// Forgets the active files, as when the daemon has been away.
    mutating func forgetFiles() { files = [:] }

    /// True where nothing is known of a job that has made progress.
    func isUnknown(_ job: Int64) -> Bool { files[job] == nil }

    /// Takes in a job as the daemon describes it.
    mutating func apply(_ job: JobJSON) {
        guard job.state == .downloading || job.state == .detecting else {
            files[job.id] = nil
            return
        }
        files[job.id] = File(
            name: job.name,
            isDetecting: job.state == .detecting,
            bytes: job.bytes,
            total: job.totalBytes,
            percent: job.percent,
            rate: job.bytesPerSecond
        )
    }

    /// Takes in how far a transfer has come.
    mutating func apply(_ progress: ProgressJSON) {
        guard files[progress.job]?.isDetecting == false else { return }
        files[progress.job]?.bytes = progress.bytes
        files[progress.job]?.total = progress.totalBytes
        files[progress.job]?.percent = BatchProgress.percent(progress.bytes, of: progress.totalBytes)
        files[progress.job]?.rate = progress.bytesPerSecond
    }

    /// Takes in what happened.
    mutating func apply(_ event: EventJSON) {
        let name =
            event.name ?? files[event.job]?.name ?? BatchProgress.name(url: event.url) ?? "j\(event.job)"
        // What a newer daemon says besides changes nothing that is known of the file.
        guard let kind = event.kind.known else { return }
        switch kind.state {
        case .downloading:
            var file = files[event.job] ?? File(name: name)
            file.percent = event.percent ?? file.percent
            file.bytes = event.bytes ?? file.bytes
            files[event.job] = file
        case .detecting:
            files[event.job] = File(name: name, isDetecting: true)
        case .done:
            let faces = event.faceCount.map { Quantities.count($0, "face") }
            end(event, outcome: faces ?? event.outcome?.text ?? "not counted", name: name)
        case .failed:
            end(event, outcome: "failed", name: name, remark: event.reason ?? event.code, isBad: true)
        case .queued, .stored, .waiting, .paused, .cancelled:
            files[event.job] = nil
        }
    }

    private mutating func end(
        _ event: EventJSON,
        outcome: String,
        name: String,
        remark: String? = nil,
        isBad: Bool = false
    ) {
        files[event.job] = nil
        let result = Result(
            outcome: outcome,
            name: name,
            remark: remark ?? "\(Quantities.elapsed(event.elapsed)) s",
            isBad: isBad
        )
        results.insert(result, at: 0)
        if results.count > Self.resultLimit { results.removeLast() }
    }
}
