import Dispatch
import JobEngine
import JobModel
import Logging

/// Writes events to the daemon's standard error, for the journal and for those who run it in a terminal.
final class StandardErrorEvents: EventSink {
    private let log: StandardErrorLog
    // Standard error may be a pipe that nobody reads, for which the engine must not wait.
    private let queue = DispatchQueue(label: "facefetch.standard-error")

    init(log: StandardErrorLog) { self.log = log }

    func append(_ events: EventLines) {
        queue.async { [log] in
            // The level of each line only matters for the journal, and if not all of them are shown.
            guard log.isJournal || log.level > .info else { return log.write(wholeLines: events.text) }
            log.write(
                events.events.map { (line: $0.logLine, level: $0.isBad ? Logger.Level.warning : .info) }
            )
        }
    }
}

extension JobEvent {
    /// True if the event is of interest to somebody who only looks for trouble.
    fileprivate var isBad: Bool {
        switch kind {
        case .detectionFailed(_, .skipped, _, _): false
        case .failed, .detectionFailed, .waiting: true
        default: false
        }
    }
}
