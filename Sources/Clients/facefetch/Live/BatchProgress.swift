import ControlAPI
import Vocabulary

/// The progress of a batch's files, derived from events.
struct BatchProgress: Sendable {
    /// A file that has begun and not ended.
    struct File: Hashable, Sendable {
        /// The file's name for people.
        var name: String
        /// The file's current stage.
        var phase: Phase
    }

    /// The stages of a file.
    enum Phase: Hashable, Sendable {
        /// The file is being fetched.
        case downloading(bytes: Int64, total: Int64? = nil, percent: Int?, rate: Double? = nil)
        /// The file is stored and waits for a detector.
        case stored
        /// A detector is looking at the file.
        case detecting
        /// The file is stored and detection is held.
        case deferred
        /// The file will be tried again at this time of day, for this reason.
        case waiting(until: String, reason: String)
        /// A person has paused the job.
        case paused
    }

    /// The files that have begun and not ended, by job.
    private(set) var files: [Int64: File] = [:]
    /// The jobs that have not ended.
    private(set) var unfinished: Set<Int64>
    /// The seconds from the beginning of each job to its end, as far as both were seen.
    private(set) var took: [Int64: Double] = [:]
    /// The beginning of each job, in seconds since the batch was added.
    private var begun: [Int64: Double] = [:]
    private let jobs: Set<Int64>
    /// The number of jobs.
    var total: Int { jobs.count }

    /// Creates the progress of a batch without any events yet.
    init(jobs: [Int64]) {
        self.jobs = Set(jobs)
        unfinished = self.jobs
    }

    /// True if every job has ended.
    var isOver: Bool { unfinished.isEmpty }

    /// True if a job is among those that are waited for.
    func waits(for job: Int64) -> Bool { jobs.contains(job) }

    /// Applies a job as it is now.
    mutating func apply(_ job: JobJSON) {
        guard waits(for: job.id), let state = job.state.known else { return }
        guard !state.isFinal else {
            files[job.id] = nil
            unfinished.remove(job.id)
            return
        }
        unfinished.insert(job.id)
        switch state {
        case .downloading:
            files[job.id] = File(
                name: job.name,
                phase: .downloading(
                    bytes: job.bytes,
                    total: job.totalBytes,
                    percent: job.percent,
                    rate: job.bytesPerSecond
                )
            )
        case .detecting: files[job.id] = File(name: job.name, phase: .detecting)
        case .paused: files[job.id] = File(name: job.name, phase: .paused)
        case .waiting:
            files[job.id] = File(
                name: job.name,
                phase: .waiting(
                    until: job.waiting.map { LocalTime.clock($0.until) } ?? "later",
                    reason: job.waiting?.reason ?? ""
                )
            )
        case .queued, .stored, .done, .failed, .cancelled: files[job.id] = nil
        }
    }

    /// Waits no longer for jobs that the daemon doesn't know, given all that it knows.
    mutating func forgetAll(but known: Set<Int64>) {
        unfinished.formIntersection(known)
        files = files.filter { known.contains($0.key) }
    }

    /// Applies an event.
    ///
    /// Unknown events of a newer daemon change nothing; above all, they aren't taken for downloads.
    mutating func apply(_ event: EventJSON) {
        guard let kind = event.kind.known else { return }
        if kind == .started, begun[event.job] == nil { begun[event.job] = event.elapsed }
        let known = event.name ?? files[event.job]?.name ?? Self.name(url: event.url)
        let name = known ?? "\(JobID(event.job))"
        guard let phase = phase(after: event, kind) else {
            files[event.job] = nil
            unfinished.remove(event.job)
            took[event.job] = begun[event.job].map { max(0, event.elapsed - $0) }
            return
        }
        files[event.job] = File(name: name, phase: phase)
        // A job that had ended may have been retried.
        unfinished.insert(event.job)
    }

    /// Applies the progress of a transfer.
    mutating func apply(_ progress: ProgressJSON) {
        guard case .downloading = files[progress.job]?.phase else { return }
        files[progress.job]?.phase = .downloading(
            bytes: progress.bytes,
            total: progress.totalBytes,
            percent: Self.percent(progress.bytes, of: progress.totalBytes),
            rate: progress.bytesPerSecond
        )
    }

    /// Returns the percentage, rounded down; nil if the length is unknown.
    static func percent(_ bytes: Int64, of total: Int64?) -> Int? {
        guard let total, total > 0, bytes >= 0 else { return nil }
        return Int(min(100, Double(bytes) / Double(total) * 100))
    }

    /// Returns the file's stage after an event; nil if it has ended.
    private func phase(after event: EventJSON, _ kind: EventWord) -> Phase? {
        switch kind.state {
        case .failed, .cancelled, .done: nil
        case .stored: kind == .detectionDeferred ? .deferred : .stored
        case .detecting: .detecting
        case .paused: .paused
        case .waiting:
            .waiting(
                until: event.until.map(LocalTime.clock) ?? "later",
                reason: event.reason ?? event.code ?? ""
            )
        case .queued, .downloading:
            .downloading(
                bytes: event.bytes ?? (kind == .progressed ? known(event.job).bytes : 0),
                total: event.totalBytes ?? known(event.job).total,
                percent: kind == .finished
                    ? 100 : event.percent ?? Self.percent(event.bytes ?? 0, of: event.totalBytes),
                rate: kind == .finished ? nil : known(event.job).rate
            )
        }
    }

    /// Returns the bytes, the length and the speed of a file that is being fetched, where known.
    private func known(_ job: Int64) -> (bytes: Int64, total: Int64?, rate: Double?) {
        guard case .downloading(let bytes, let total, _, let rate) = files[job]?.phase else {
            return (0, nil, nil)
        }
        return (bytes, total, rate)
    }

    /// Returns the last component of a URL's path, which serves as a name until the file's own is known.
    static func name(url: String?) -> String? {
        guard let path = url?.prefix(while: { $0 != "?" && $0 != "#" }) else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }
}
