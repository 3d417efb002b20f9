import JobModel

/// Numbers events in sequence.
struct EventNumbers {
    private var next: Int64
    private var latest: Moment?

    /// Continues after the last event in the store, 0 if there is none.
    init(after last: Int64) { next = last + 1 }

    /// Returns the event with its number.
    ///
    /// An event that was held back gets the time of those before it, so that no batch's clock goes
    /// backwards.
    mutating func number(_ event: JobEvent) -> JobEvent {
        var event = event
        event.id = next
        if let latest { event.time = max(event.time, latest) }
        latest = event.time
        next += 1
        return event
    }

    /// Removes withdrawn events and renumbers the remaining ones, of which nobody has heard yet.
    mutating func closeUp(_ events: inout [JobEvent], without isWithdrawn: (JobEvent) -> Bool) {
        let first = next - Int64(events.count)
        events.removeAll(where: isWithdrawn)
        for index in events.indices { events[index].id = first + Int64(index) }
        next = first + Int64(events.count)
    }
}
