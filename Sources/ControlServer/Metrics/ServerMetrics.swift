import JobCore
import JobEngine
import Synchronization

/// Counts what happens from the start of the server on, for `GET /v1/metrics`.
final class ServerMetrics: Sendable {
    /// The type of OpenMetrics text, version 1.0.0.
    static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// Upper bounds of the request times, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    struct Counts: Sendable {
        var events: [String: Int] = [:]
        var retries: [String: Int] = [:]
        var failures: [String: Int] = [:]
        var detections: [String: Int] = [:]
        var faces = 0
        var missed = 0
        var requests: [Int: Int] = [:]
        var requestTimes = [Int](repeating: 0, count: ServerMetrics.bounds.count)
        var requestSeconds = 0.0
    }

    private let counts = Mutex(Counts())

    /// Counts what the bus says.
    func count(_ item: EventBus.Item) {
        switch item {
        case .progress: return
        case .missed: counts.withLock { $0.missed += 1 }
        case .event(let event):
            counts.withLock { counts in
                counts.events[event.kindName, default: 0] += 1
                switch event.kind {
                case .waiting(_, _, let reason): counts.retries[reason.code.rawValue, default: 0] += 1
                case .failed(_, let failure): counts.failures[failure.code.rawValue, default: 0] += 1
                case .detectionFinished(_, let faces, _):
                    counts.detections[DetectionOutcome.counted.rawValue, default: 0] += 1
                    counts.faces += faces
                case .detectionFailed(_, let outcome, _):
                    counts.detections[outcome.rawValue, default: 0] += 1
                default: break
                }
            }
        }
    }

    /// Counts a request by its answer.
    func answered(status: Int, after time: Duration) {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        counts.withLock { counts in
            counts.requests[status, default: 0] += 1
            counts.requestSeconds += seconds
            if let place = Self.bounds.firstIndex(where: { seconds <= $0 }) {
                counts.requestTimes[place] += 1
            }
        }
    }

    /// What has been counted so far.
    var current: Counts { counts.withLock { $0 } }
}
