import ControlAPI
import JobModel

// The parameters of the event stream.
extension Parameters {
    /// The event after which the stream begins.
    static let afterEvent = Parameter<Int64>.integer(
        "after",
        from: 0,
        "Begins with the events after this one; 0 begins with the oldest kept. Last-Event-ID takes precedence."
    )

    /// The time from which the stream begins.
    static let since = Parameter<Timestamp>(
        "since",
        .time,
        "Begins with the events since then, and perhaps a few from just before; never with any excluded by after."
    ) { (text) throws(ProblemJSON) in
        guard let time = Timestamp(rfc3339: text) else {
            throw ProblemJSON(
                .invalidParameter,
                "since must be a time such as 2026-11-21T06:45:00Z, not \(text.quoted)"
                    // An offset's plus sign, as it stands, is a space in a query.
                    + (text.contains(" ") ? "; in a query, a plus sign is %2B" : "")
            )
        }
        return time
    }

    /// The number of the newest kept events to begin with.
    static let newest = Parameter<Int64>.integer(
        "newest",
        from: 0,
        to: 1_000_000,
        "Begins with so many of the newest events that are kept, of the batch if one is named; never with any "
            + "excluded by after or since. Ignored with Last-Event-ID."
    )

    /// True if the stream goes on after the events that are kept.
    static let follow = Parameter<Bool>(
        "follow",
        .boolean.defaulting(to: "true"),
        "If false, the answer ends after the events kept so far."
    ) { (text) throws(ProblemJSON) in
        guard text == "true" || text == "false" else {
            throw ProblemJSON(.invalidParameter, "follow must be true or false, not \(text.quoted)")
        }
        return text == "true"
    }

    /// The last event that a returning follower has.
    static let lastEventID = Parameter<Int64>(
        "Last-Event-ID",
        in: .header,
        .string(pattern: "^(0|[1-9][0-9]{0,17})?$"),
        "The last event that the client has."
    ) { (text) throws(ProblemJSON) in
        guard !text.isEmpty else { return nil }
        guard let id = Int64(decimal: text) else {
            throw ProblemJSON(
                .invalidParameter,
                "Last-Event-ID must be an event's id, not \(text.quoted)"
            )
        }
        return id
    }
}
