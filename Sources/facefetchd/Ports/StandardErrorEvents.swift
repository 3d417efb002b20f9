import Dispatch
import JobCore
import JobEngine
import SystemdSupport

/// Events on the daemon's standard error, for the journal and for whoever
/// runs it in a terminal.
final class StandardErrorEvents: EventSink {
    private let log: StandardErrorLog
    // Standard error may be a pipe that nobody reads: the engine must not wait for it.
    private let queue = DispatchQueue(label: "facefetch.standard-error")

    init(log: StandardErrorLog) { self.log = log }

    func append(_ events: [JobEvent]) {
        queue.async { [log] in
            for event in events { log.write(event.logLine, level: event.isBad ? .warning : .info) }
        }
    }
}

extension JobEvent {
    /// Whether somebody who only reads what went wrong wants to see it.
    fileprivate var isBad: Bool {
        switch kind {
        case .failed, .detectionFailed, .waiting: true
        default: false
        }
    }
}
