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
        case downloading(bytes: Int64, percent: Int?)
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
    /// The number of jobs.
    let total: Int

    /// Creates the progress of a batch without any events yet.
    init(jobs: [Int64]) {
        unfinished = Set(jobs)
        total = jobs.count
    }

    /// True if every job has ended.
    var isOver: Bool { unfinished.isEmpty }

    /// Applies an event.
    ///
    /// Unknown events of a newer daemon change nothing; above all, they aren't taken for downloads.
    mutating func apply(_ event: EventJSON) {
        guard let kind = event.kind.known else { return }
        let name = event.name ?? files[event.job]?.name ?? Self.name(url: event.url) ?? "j\(event.job)"
        guard let phase = phase(after: event, kind) else {
            files[event.job] = nil
            unfinished.remove(event.job)
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
            percent: Self.percent(progress.bytes, of: progress.totalBytes)
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
                bytes: event.bytes ?? 0,
                percent: kind == .finished
                    ? 100 : event.percent ?? Self.percent(event.bytes ?? 0, of: event.totalBytes)
            )
        }
    }

    /// Returns the last component of a URL's path, which serves as a name until the file's own is known.
    static func name(url: String?) -> String? {
        guard let path = url?.prefix(while: { $0 != "?" && $0 != "#" }) else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }
}
