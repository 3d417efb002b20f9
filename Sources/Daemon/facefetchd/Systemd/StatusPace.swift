/// Decides which text of a status line is sent, and when.
///
/// Times are nanoseconds of a clock that never goes back.
struct StatusPace {
    /// The text that the line should show.
    private(set) var wanted: String
    private var sent: String
    /// The time until which nothing is sent.
    private var quietUntil: UInt64 = 0
    private var isScheduled = false
    private let interval: UInt64

    /// Begins with a text that has been sent already.
    init(text: String, nanoseconds interval: UInt64) {
        (wanted, sent, self.interval) = (text, text, interval)
    }

    /// Sets a new text.
    ///
    /// - Returns: When to ask what is due, or nil if there is nothing to send or somebody will ask.
    mutating func show(_ text: String, now: UInt64) -> UInt64? {
        wanted = text
        guard text != sent, !isScheduled else { return nil }
        isScheduled = true
        return max(now, quietUntil)
    }

    /// Returns the text to send now, or nil if the line is back at what was sent last.
    mutating func due(now: UInt64) -> String? {
        isScheduled = false
        guard wanted != sent else { return nil }
        sent = wanted
        quietUntil = now + interval
        return sent
    }
}
