import ControlAPI

/// The progress of the files of one batch, as events tell it.
struct BatchProgress: Sendable {
    /// One file that something happened to.
    struct File: Hashable, Sendable {
        /// What people call it.
        var name: String
        /// What happens to it.
        var phase: Phase
    }

    /// A stage of a file's way.
    enum Phase: Hashable, Sendable {
        /// It is being fetched: so many bytes, of so many.
        case downloading(bytes: Int64, percent: Int?)
        /// It is stored and waits for a detector.
        case stored
        /// A detector looks at it.
        case detecting
        /// It is stored and detection is held.
        case deferred
        /// It will be tried again, at that time of day, for that reason.
        case waiting(until: String, reason: String)
        /// A person holds it.
        case paused
    }

    /// The files that have begun and not ended, by job.
    private(set) var files: [Int64: File] = [:]
    /// The jobs that have not come to their end.
    private(set) var unfinished: Set<Int64>
    /// How many jobs there are.
    let total: Int

    /// A batch of which nothing has been heard.
    init(jobs: [Int64]) {
        unfinished = Set(jobs)
        total = jobs.count
    }

    /// True when every job has come to its end.
    var isOver: Bool { unfinished.isEmpty }

    /// Takes in what happened.
    ///
    /// What a newer daemon says besides changes nothing: least of all is it taken for a download.
    mutating func apply(_ event: EventJSON) {
        guard let kind = event.kind.known else { return }
        let name = event.name ?? files[event.job]?.name ?? Self.name(url: event.url) ?? "j\(event.job)"
        guard let phase = phase(after: event, kind) else {
            files[event.job] = nil
            unfinished.remove(event.job)
            return
        }
        files[event.job] = File(name: name, phase: phase)
        // A job that had ended may be tried again.
        unfinished.insert(event.job)
    }

    /// Takes in how far a transfer has come.
    mutating func apply(_ progress: ProgressJSON) {
        guard case .downloading = files[progress.job]?.phase else { return }
        files[progress.job]?.phase = .downloading(
            bytes: progress.bytes,
            percent: Self.percent(progress.bytes, of: progress.totalBytes)
        )
    }

    /// Whole percents; nil where the length is unknown.
    static func percent(_ bytes: Int64, of total: Int64?) -> Int? {
        guard let total, total > 0, bytes >= 0 else { return nil }
        return Int(min(100, Double(bytes) / Double(total) * 100))
    }

    /// What happens to a file after an event; nil when it has come to its end.
    private func phase(after event: EventJSON, _ kind: EventJSON.Kind) -> Phase? {
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

    /// The last part of a URL's path, to call a file by until its name is known.
    static func name(url: String?) -> String? {
        guard let path = url?.prefix(while: { $0 != "?" && $0 != "#" }) else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }
}
