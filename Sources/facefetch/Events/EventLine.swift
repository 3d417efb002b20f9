import ControlAPI

/// An event as a line of the event log.
enum EventLine {
    /// The whole line: time, batch, job, elapsed seconds, message.
    static func whole(_ event: EventJSON) -> String {
        "\(event.time) b\(event.batch) j\(event.job) \(fromElapsed(event))".safeForTerminal
    }

    /// The line from its elapsed column on, for readers of one batch.
    static func fromElapsed(_ event: EventJSON) -> String {
        "\(Quantities.elapsed(event.elapsed)) \(event.message.safeForTerminal)"
    }
}
