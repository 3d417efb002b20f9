import JobCore

/// A moment of a history, in microseconds since it began, by a clock that nobody sets.
typealias Tick = Int64

/// What is to happen, in order of time, and of coming where that is the same.
struct Agenda {
    private struct Entry: Comparable {
        var at: Tick
        var serial: Int
        var action: () -> Void

        static func < (lhs: Entry, rhs: Entry) -> Bool { (lhs.at, lhs.serial) < (rhs.at, rhs.serial) }
        static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.serial == rhs.serial }
    }

    private var entries = PriorityHeap<Entry>()
    private var serial = 0

    /// The time of what is next.
    var next: Tick? { entries.first?.at }

    mutating func add(at tick: Tick, _ action: @escaping () -> Void) {
        serial += 1
        entries.insert(Entry(at: tick, serial: serial, action: action))
    }

    /// Removes and returns what is next.
    mutating func take() -> (() -> Void)? { entries.popFirst()?.action }
}
