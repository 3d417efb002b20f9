import ControlAPI
import JobEngine
import JobModel
import Synchronization
import Vocabulary

/// Counts what happens since the server's start, for `GET /v1/metrics`.
final class ServerMetrics: Sendable {
    /// The media type of OpenMetrics text, version 1.0.0.
    static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    struct Counts: Sendable {
        var events: [EventWord: Int] = [:]
        var retries: [String: Int] = [:]
        var failures: [String: Int] = [:]
        var outcomes: [String: Int] = [:]
        var faces = 0
        var missed = 0
        var requests: [Int: Int] = [:]
        var requestTimes = Histogram.answers
        var downloadTimes = Histogram.work
        var detectionTimes = Histogram.work
        var jobTimes = Histogram.work

        /// The times when the running downloads began; likewise for detections.
        fileprivate var downloads: [JobID: Moment] = [:]
        fileprivate var detections: [JobID: Moment] = [:]
    }

    /// The most beginnings remembered, since a job that waits for days has begun too.
    private static let maximumBegun = 100_000

    private let counts = Mutex(Counts())

    /// Counts items from the event bus.
    func count(_ items: [EventBus.Item]) {
        counts.withLock { counts in
            for item in items {
                switch item {
                case .progress: break
                case .missed: counts.missed += 1
                case .event(let event):
                    counts.events[event.kind.parts.word, default: 0] += 1
                    counts.record(event, limit: Self.maximumBegun)
                }
            }
        }
    }

    /// Counts a request by the status and time of its answer.
    func answered(status: Int, after time: Duration) {
        counts.withLock { counts in
            counts.requests[status, default: 0] += 1
            counts.requestTimes.observe(time / .seconds(1))
        }
    }

    /// The counts so far.
    var current: Counts { counts.withLock { $0 } }
}

extension ServerMetrics.Counts {
    fileprivate mutating func record(_ event: JobEvent, limit: Int) {
        switch event.kind {
        case .started: if downloads.count < limit { downloads[event.job] = event.time }
        case .finished: Self.end(event, since: &downloads, in: &downloadTimes)
        case .waiting(_, _, let reason): retries[reason.code.rawValue, default: 0] += 1
        case .failed(_, let failure):
            failures[failure.code.rawValue, default: 0] += 1
            downloads[event.job] = nil
        case .cancelled:
            downloads[event.job] = nil
            detections[event.job] = nil
        // What was begun hasn't ended, and is no detection.
        case .detectionCancelled: detections[event.job] = nil
        case .detectionStarted: detections[event.job] = event.time
        case .detectionFinished(_, let faces, _):
            self.faces += faces
            endDetection(event, .counted)
        case .detectionFailed(_, let outcome, _, _): endDetection(event, outcome)
        default: break
        }
    }

    private mutating func endDetection(_ event: JobEvent, _ outcome: DetectionOutcome) {
        outcomes[outcome.rawValue, default: 0] += 1
        Self.end(event, since: &detections, in: &detectionTimes)
        jobTimes.observe(event.elapsed)
    }

    /// Returns the time since a remembered beginning, and forgets it.
    private static func end(
        _ event: JobEvent,
        since begun: inout [JobID: Moment],
        in times: inout Histogram
    ) {
        guard let start = begun.removeValue(forKey: event.job) else { return }
        times.observe(event.time.seconds(since: start))
    }
}
