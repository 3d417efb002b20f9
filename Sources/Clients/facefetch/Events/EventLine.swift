import ControlAPI
import Vocabulary

/// Formats an event as a line of the event log.
enum EventLine {
    /// Returns the complete line: time, batch, job, elapsed seconds, message.
    static func whole(_ event: EventJSON) -> String {
        "\(event.time) \(BatchID(event.batch)) \(JobID(event.job)) \(fromElapsed(event))".safeForTerminal
    }

    /// Returns the line from its elapsed seconds on, for readers of a single batch.
    static func fromElapsed(_ event: EventJSON) -> String {
        "\(Quantities.elapsed(event.elapsed)) \(event.message.safeForTerminal)"
    }
}
