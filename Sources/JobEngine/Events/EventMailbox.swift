import Synchronization

/// What one listener of the ``EventBus`` has yet to hear: a bounded queue that is emptied in one go.
///
/// A turn's events come together and are taken together, so that a listener is woken once for
/// them and not once for each; all listeners share them, so that one more costs next to nothing.
final class EventMailbox: Sendable {
    fileprivate struct State {
        /// What each publication brought.
        var items: [[EventBus.Item]] = []
        var count = 0
        var reader: CheckedContinuation<[[EventBus.Item]], Never>?
        var hasMissed = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Puts in what there is room for; the word "missed" follows what was lost.
    func put(_ items: [EventBus.Item]) {
        let delivery = state.withLock {
            state -> (CheckedContinuation<[[EventBus.Item]], Never>, [[EventBus.Item]])? in
            guard !state.hasEnded else { return nil }
            state.put(items, capacity: capacity)
            guard let reader = state.reader, !state.items.isEmpty else { return nil }
            state.reader = nil
            return (reader, state.take())
        }
        if let (reader, items) = delivery { reader.resume(returning: items) }
    }

    /// All that is in, at least one item; none once it has ended and is empty, or the task is cancelled.
    func take() async -> [[EventBus.Item]] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let items = state.withLock { state -> [[EventBus.Item]]? in
                    guard state.items.isEmpty, !state.hasEnded else { return state.take() }
                    state.reader = continuation
                    return nil
                }
                if let items { continuation.resume(returning: items) }
            }
        } onCancel: {
            end()
        }
    }

    /// Takes no more; what is in can still be taken.
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
    fileprivate mutating func take() -> [[EventBus.Item]] {
        defer {
            items = []
            count = 0
        }
        return items
    }

    fileprivate mutating func put(_ new: [EventBus.Item], capacity: Int) {
        // The word "missed" comes first, once there is room again.
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
    /// Whether it is worth a word when it is lost: the next progress makes good for the last.
    fileprivate var isEvent: Bool { if case .progress = self { false } else { true } }
}
