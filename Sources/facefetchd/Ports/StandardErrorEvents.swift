import Dispatch
import JobCore
import JobEngine
import Logging
import SystemdSupport

/// Events on the daemon's standard error, for the journal and for whoever
/// runs it in a terminal.
final class StandardErrorEvents: EventSink {
    private let log: StandardErrorLog
    // Standard error may be a pipe that nobody reads: the engine must not wait for it.
    private let queue = DispatchQueue(label: "facefetch.standard-error")

    init(log: StandardErrorLog) { self.log = log }

    func append(_ events: EventLines) {
        queue.async { [log] in
            // Only the journal, and who wants to see no others, must know which lines are the bad ones.
            guard log.isJournal || log.level > .info else { return log.write(wholeLines: events.text) }
            log.write(
                events.events.map { (line: $0.logLine, level: $0.isBad ? Logger.Level.warning : .info) }
            )
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
