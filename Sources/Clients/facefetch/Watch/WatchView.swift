import ControlAPI
import Vocabulary

/// The contents of the view that `watch` shows.
struct WatchView: Sendable {
    /// A file being fetched or looked at.
    struct File: Hashable, Sendable {
        /// The file's name for people.
        var name: String
        /// True if a detector is looking at the file.
        var isDetecting = false
        /// The number of bytes fetched.
        var bytes: Int64 = 0
        /// The length of the whole file in bytes, where known.
        var total: Int64?
        /// The percentage fetched, if the length is known.
        var percent: Int?
        /// The speed in bytes per second, where known.
        var rate: Double?

        /// True if all of it is there, so that it is on its way into the documents directory.
        var isComplete: Bool { !isDetecting && total.map { $0 > 0 && bytes >= $0 } ?? (percent == 100) }
    }

    /// The result of a job.
    struct Result: Hashable, Sendable {
        /// The outcome, such as "7 faces" or "failed".
        var outcome: String
        /// The file's name for people.
        var name: String
        /// The elapsed seconds, or why the job failed.
        var remark: String
        /// True if there is no document.
        var isBad: Bool
    }

    /// The number of results kept.
    private static let resultLimit = 200

    /// The daemon's status; nil before the first answer.
    var status: StatusJSON?
    /// The path of the daemon's socket.
    let socketPath: String
    /// A sentence to show at the bottom, for example when the daemon has gone.
    var notice: String?
    /// The active files, by job.
    private(set) var files: [Int64: File] = [:]
    /// The last results, newest first.
    private(set) var results: [Result] = []

    init(socketPath: String) { self.socketPath = socketPath }

    /// True if the active files are as many as the daemon's status has, as far as is known.
    var hasAllFiles: Bool {
        guard let status else { return true }
        let counts = (status.jobs[.known(.downloading)] ?? 0) + (status.jobs[.known(.detecting)] ?? 0)
        return files.count == counts
    }

    /// Begins with the last results from the store, newest first, unless there are some already.
    mutating func begin(with jobs: [JobJSON]) {
        guard results.isEmpty else { return }
        results = jobs.prefix(Self.resultLimit).compactMap { job in
            switch job.state {
            case .known(.done):
                let faces = job.detection?.faceCount.map { Quantities.count($0, "face") }
                return Result(
                    outcome: faces ?? job.detection?.outcome.text ?? "not counted",
                    name: job.name,
                    remark: "\(Quantities.elapsed(job.elapsed)) s",
                    isBad: false
                )
            case .known(.failed):
                return Result(
                    outcome: "failed",
                    name: job.name,
                    remark: job.error?.message ?? "",
                    isBad: true
                )
            default: return nil
            }
        }
    }

    /// Forgets the active files, for example after the daemon has been away.
    mutating func forgetFiles() { files = [:] }

    /// Returns whether nothing is known about a job that has made progress.
    func isUnknown(_ job: Int64) -> Bool { files[job] == nil }

    /// Applies the description of a job.
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

    /// Applies the progress of a transfer.
    mutating func apply(_ progress: ProgressJSON) {
        guard files[progress.job]?.isDetecting == false else { return }
        files[progress.job]?.bytes = progress.bytes
        files[progress.job]?.total = progress.totalBytes
        files[progress.job]?.percent = BatchProgress.percent(progress.bytes, of: progress.totalBytes)
        files[progress.job]?.rate = progress.bytesPerSecond
    }

    /// Applies an event.
    mutating func apply(_ event: EventJSON) {
        let known = event.name ?? files[event.job]?.name ?? BatchProgress.name(url: event.url)
        let name = known ?? "\(JobID(event.job))"
        // Unknown events of a newer daemon change nothing.
        guard let kind = event.kind.known else { return }
        switch kind.state {
        case .downloading:
            var file = files[event.job] ?? File(name: name)
            file.percent = event.percent ?? file.percent
            file.bytes = event.bytes ?? file.bytes
            files[event.job] = file
        case .detecting:
            files[event.job] = File(name: name, isDetecting: true)
        // The result of the first look stands, and was reported then.
        case .done where kind == .detectionCancelled: files[event.job] = nil
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
