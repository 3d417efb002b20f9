import Synchronization

/// The bounded queue of one listener of the ``EventBus``, which is emptied all at once.
///
/// The events of a turn are added and taken together, so that a listener is woken once for all of them.
/// Listeners share them, so that an additional listener costs next to nothing.
final class EventMailbox: Sendable {
    fileprivate struct State {
        /// The items of each publication.
        var items: [[EventBus.Item]] = []
        var count = 0
        var reader: CheckedContinuation<[[EventBus.Item]], Never>?
        var hasMissed = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Adds as many items as there is room for; `missed` takes the place of those lost.
    func put(_ items: [EventBus.Item]) {
        let delivery = state.withLock {
            state -> (CheckedContinuation<[[EventBus.Item]], Never>, [[EventBus.Item]])? in
            guard !state.hasEnded else { return nil }
            state.put(items, capacity: capacity)
            guard let reader = state.reader, !state.items.isEmpty else { return nil }
            state.reader = nil
            return (reader, state.drain())
        }
        if let (reader, items) = delivery { reader.resume(returning: items) }
    }

    /// Waits for items and returns all of them; empty once the mailbox has ended or the task is
    /// cancelled.
    func drain() async -> [[EventBus.Item]] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let items = state.withLock { state -> [[EventBus.Item]]? in
                    guard state.items.isEmpty, !state.hasEnded else { return state.drain() }
                    state.reader = continuation
                    return nil
                }
                if let items { continuation.resume(returning: items) }
            }
        } onCancel: {
            end()
        }
    }

    /// Accepts no more items; those already in can still be taken.
    func end() {
        let reader = state.withLock { state in
            state.hasEnded = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: [])
    }
}

extension EventMailbox.State {
    fileprivate mutating func drain() -> [[EventBus.Item]] {
        defer {
            items = []
            count = 0
        }
        return items
    }

    fileprivate mutating func put(_ new: [EventBus.Item], capacity: Int) {
        // `missed` comes first once there is room again.
        if hasMissed {
            guard count < capacity, new.contains(where: \.isEvent) else { return }
            append([.missed])
            hasMissed = false
        }
        let room = capacity - count
        if new.count <= room { return append(new) }
        if room > 0 { append(Array(new.prefix(room))) }
        hasMissed = new.dropFirst(room).contains(where: \.isEvent)
    }

    private mutating func append(_ new: [EventBus.Item]) {
        items.append(new)
        count += new.count
    }
}

extension EventBus.Item {
    /// True if losing this item must be reported; lost progress is superseded by the next.
    fileprivate var isEvent: Bool { if case .progress = self { false } else { true } }
}
