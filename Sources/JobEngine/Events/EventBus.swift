import JobCore
import Synchronization

/// Hands events to everyone who listens, as they become durable.
///
/// A listener that reads slowly loses events and is told so; it never slows
/// the engine or anyone else. What it missed is in the store's history.
public final class EventBus: Sendable {
    /// What a listener hears.
    public enum Item: Hashable, Sendable {
        /// Something durable happened.
        case event(JobEvent)
        /// A transfer came further; not durable, and only the latest matters.
        case progress(JobID, BatchID, LiveTransfer)
        /// Some items were lost to this listener: the history has the events.
        case missed
    }

    /// One listener's items, until its task is cancelled, nobody holds it any more, or the bus ends.
    public struct Subscription: AsyncSequence, Sendable {
        /// One thing heard.
        public typealias Element = Item
        fileprivate let ticket: Ticket

        /// Starts to listen; once only.
        public func makeAsyncIterator() -> Iterator { Iterator(ticket: ticket) }

        /// Hears one thing after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let ticket: Ticket
            private var taken: ArraySlice<[Item]> = []
            private var rest: ArraySlice<Item> = []

            fileprivate init(ticket: Ticket) { self.ticket = ticket }

            /// The next item; nil at the end.
            public mutating func next() async -> Item? {
                while rest.isEmpty {
                    if taken.isEmpty { taken = await ticket.mailbox.take()[...] }
                    guard let next = taken.popFirst() else { return nil }
                    rest = next[...]
                }
                return rest.popFirst()
            }

            /// All there is, in the pieces in which it was published; none at the end.
            ///
            /// Not together with ``next()``.
            public mutating func nextPieces() async -> [[Item]] { await ticket.mailbox.take() }
        }
    }

    /// A place among the listeners, given up when the last who holds it lets go.
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

    /// A bus that keeps up to `bufferSize` items for a listener that doesn't read; listeners share them.
    public init(bufferSize: Int = 16384) { self.bufferSize = bufferSize }

    /// How many listen.
    public var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Begins to listen: everything published from now on.
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

    /// Tells everyone who listens.
    ///
    /// Called by the engine, after the commit.
    public func publish(_ items: [Item]) {
        guard !items.isEmpty else { return }
        // From one thread, so that everyone hears it in the same order.
        for mailbox in state.withLock({ Array($0.listeners.values) }) { mailbox.put(items) }
    }

    /// Ends every subscription, so that those who serve them can go.
    public func end() {
        let listeners = state.withLock { state in
            state.hasEnded = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for mailbox in listeners { mailbox.end() }
    }
}
