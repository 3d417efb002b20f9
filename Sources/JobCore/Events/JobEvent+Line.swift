extension JobEvent {
    /// The kind's stable name, for programs.
    public var kindName: String {
        switch kind {
        case .started: "started"
        case .progressed: "progressed"
        case .received: "received"
        case .resumed: "resumed"
        case .restarted: "restarted"
        case .finished: "finished"
        case .stored: "stored"
        case .waiting: "waiting"
        case .failed: "failed"
        case .paused: "paused"
        case .continued: "continued"
        case .cancelled: "cancelled"
        case .detectionStarted: "detection_started"
        case .detectionFinished: "detection_finished"
        case .detectionDeferred: "detection_deferred"
        case .detectionFailed: "detection_failed"
        }
    }

    /// What happened, as the event log says it, without the frame in front.
    public var message: String {
        switch kind {
        case .started(let url): "started download of \(url.escapedForLog)"
        case .progressed(let name, let percent): "downloading \(name.quotedForLog), \(percent)% done"
        case .received(let name, let bytes): "downloading \(name.quotedForLog), \(bytes) bytes done"
        case .resumed(let name, let offset, let total?):
            "resumed download of \(name.quotedForLog) at byte \(offset) of \(total)"
        case .resumed(let name, let offset, nil):
            "resumed download of \(name.quotedForLog) at byte \(offset)"
        case .restarted(let name, let reason):
            "restarted download of \(name.quotedForLog) from zero: \(reason.escapedForLog)"
        case .finished(let url, let path):
            "finished download of \(url.escapedForLog) to \(path.escapedForLog)"
        case .stored(let name, let path): "stored \(name.quotedForLog) at \(path.escapedForLog)"
        case .waiting(let name, let until, let reason):
            "waiting to retry \(name.quotedForLog) until \(until.rfc3339): \(reason.message.escapedForLog)"
        case .failed(let url, let failure):
            "failed download of \(url.escapedForLog): \(failure.code), \(failure.message.escapedForLog)"
        case .paused(let name): "paused \(name.quotedForLog)"
        case .continued(let name): "continued \(name.quotedForLog)"
        case .cancelled(let name): "cancelled \(name.quotedForLog)"
        case .detectionStarted(let name): "started face detection in \(name.quotedForLog)"
        case .detectionFinished(let name, let count, let origin):
            "finished face detection in \(name.quotedForLog): \(count) \(count == 1 ? "face" : "faces")"
                + Self.sharing(origin)
        case .detectionDeferred(let name): "deferred face detection in \(name.quotedForLog)"
        case .detectionFailed(let name, let outcome, let origin):
            "failed face detection in \(name.quotedForLog): \(outcome.rawValue)" + Self.sharing(origin)
        }
    }

    private static func sharing(_ origin: JobID?) -> String {
        origin.map { ", the same bytes as \($0)" } ?? ""
    }

    /// The whole line of the event log, without its line feed.
    public var logLine: String {
        let head = "\(time.rfc3339) \(batch) \(job) \(elapsed.threeDecimals) "
        return head + message.limited(toBytes: Self.maximumLineLength - head.utf8.count)
    }

    /// The longest line of the event log, in bytes, its line feed included.
    public static let maximumLineLength = 4096
}

extension Double {
    /// Seconds with three decimals, cut off after the third.
    fileprivate var threeDecimals: String {
        let milliseconds = Int64(self * 1000 + 0.000_5)
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
