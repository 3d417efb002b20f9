import JobModel
import Synchronization
import Vocabulary

/// Delivers events to all listeners as they become durable.
///
/// A slow listener misses events and is told so; it never slows down the engine or anyone else. The
/// missed events are in the store's history.
public final class EventBus: Sendable {
    /// An item delivered to listeners.
    public enum Item: Hashable, Sendable {
        /// A durable event.
        case event(JobEvent)
        /// The progress of a transfer, which is not durable; only the latest matters.
        case progress(JobID, BatchID, LiveTransfer)
        /// The listener has missed items; the history has the events.
        case missed
    }

    /// The items for one listener, until its task is cancelled, the subscription is released, or the bus
    /// ends.
    public struct Subscription: AsyncSequence, Sendable {
        /// The type of an item.
        public typealias Element = Item
        fileprivate let ticket: Ticket

        /// Creates the iterator; call this only once.
        public func makeAsyncIterator() -> Iterator { Iterator(ticket: ticket) }

        /// Iterates over the items.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let ticket: Ticket
            private var taken: ArraySlice<[Item]> = []
            private var rest: ArraySlice<Item> = []

            fileprivate init(ticket: Ticket) { self.ticket = ticket }

            /// The next item; nil at the end.
            public mutating func next() async -> Item? {
                while rest.isEmpty {
                    if taken.isEmpty { taken = await ticket.mailbox.drain()[...] }
                    guard let next = taken.popFirst() else { return nil }
                    rest = next[...]
                }
                return rest.popFirst()
            }

            /// Returns all available items, grouped as they were published; empty at the end.
            ///
            /// Don't mix it with ``next()``.
            public mutating func nextPieces() async -> [[Item]] { await ticket.mailbox.drain() }
        }
    }

    /// A registration among the listeners, which ends when it is released.
    fileprivate final class Ticket: Sendable {
        let mailbox: EventMailbox
        private let leave: @Sendable () -> Void

        init(mailbox: EventMailbox, leave: @escaping @Sendable () -> Void) {
            self.mailbox = mailbox
            self.leave = leave
        }

        deinit { leave() }
    }

    private struct State {
        var nextToken = 0
        var listeners: [Int: EventMailbox] = [:]
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let bufferSize: Int

    /// Creates a bus that keeps up to `bufferSize` items for a listener that doesn't read; listeners
    /// share them.
    public init(bufferSize: Int = 16384) { self.bufferSize = bufferSize }

    /// The number of listeners.
    public var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Subscribes to everything published from now on.
    public func subscribe() -> Subscription {
        let mailbox = EventMailbox(capacity: bufferSize)
        let token: Int? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.nextToken += 1
            state.listeners[state.nextToken] = mailbox
            return state.nextToken
        }
        if token == nil { mailbox.end() }
        let ticket = Ticket(mailbox: mailbox) { [weak self] in
            guard let token else { return }
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: token) }
        }
        return Subscription(ticket: ticket)
    }

    /// Delivers items to all listeners.
    ///
    /// The engine calls this after the commit.
    public func publish(_ items: [Item]) {
        guard !items.isEmpty else { return }
        // Called from one thread, so all listeners see the same order.
        for mailbox in state.withLock({ Array($0.listeners.values) }) { mailbox.put(items) }
    }

    /// Ends every subscription, so that the tasks that read them can finish.
    public func end() {
        let listeners = state.withLock { state in
            state.hasEnded = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for mailbox in listeners { mailbox.end() }
    }
}
