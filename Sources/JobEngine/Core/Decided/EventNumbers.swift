import JobCore

/// Gives events their places among all.
struct EventNumbers {
    private var next: Int64
    private var latest: Moment?

    /// Goes on behind the last event that the store has; 0 for none.
    init(after last: Int64) { next = last + 1 }

    /// Gives an event its number.
    ///
    /// One that was held for a moment gets the time of those before it: no batch's clock goes back.
    mutating func number(_ event: JobEvent) -> JobEvent {
        var event = event
        event.id = next
        if let latest { event.time = max(event.time, latest) }
        latest = event.time
        next += 1
        return event
    }

    /// Numbers the last events anew, of which nobody has heard, without those that never were.
    mutating func closeUp(_ events: inout [JobEvent], without isWithdrawn: (JobEvent) -> Bool) {
        let first = next - Int64(events.count)
        events.removeAll(where: isWithdrawn)
        for index in events.indices { events[index].id = first + Int64(index) }
        next = first + Int64(events.count)
    }
}
