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

    /// One listener's items, until it is cancelled or the bus ends.
    public struct Subscription: AsyncSequence, Sendable {
        /// One thing heard.
        public typealias Element = Item
        let stream: AsyncStream<Item>

        /// Starts to listen; once only.
        public func makeAsyncIterator() -> AsyncStream<Item>.AsyncIterator { stream.makeAsyncIterator() }
    }

    fileprivate struct Listener {
        var continuation: AsyncStream<Item>.Continuation
        var hasMissed = false
    }

    private struct State {
        var nextToken = 0
        var listeners: [Int: Listener] = [:]
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let bufferSize: Int

    /// A bus that keeps up to `bufferSize` items for a listener that doesn't read.
    public init(bufferSize: Int = 4096) { self.bufferSize = bufferSize }

    /// How many listen.
    public var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Begins to listen: everything published from now on.
    public func subscribe() -> Subscription {
        let (stream, continuation) = AsyncStream<Item>.makeStream(
            bufferingPolicy: .bufferingOldest(bufferSize)
        )
        let token: Int? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.nextToken += 1
            state.listeners[state.nextToken] = Listener(continuation: continuation)
            return state.nextToken
        }
        if let token {
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.listeners.removeValue(forKey: token) }
            }
        } else {
            continuation.finish()
        }
        return Subscription(stream: stream)
    }

    /// Tells everyone who listens.
    ///
    /// Called by the engine, after the commit.
    public func publish(_ items: [Item]) {
        guard !items.isEmpty else { return }
        // Yielding under the lock keeps the order; it never blocks, and
        // ``onTermination`` is not called from a yield.
        state.withLock { state in
            for token in state.listeners.keys {
                for item in items {
                    state.listeners[token]?.offer(item)
                }
            }
        }
    }

    /// Ends every subscription, so that those who serve them can go.
    public func end() {
        let listeners = state.withLock { state in
            state.hasEnded = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.continuation.finish() }
    }
}

extension EventBus.Listener {
    fileprivate mutating func offer(_ item: EventBus.Item) {
        // The word "missed" comes first, once there is room again.
        if hasMissed {
            if case .progress = item { return }
            guard case .enqueued = continuation.yield(.missed) else { return }
            hasMissed = false
        }
        if case .dropped = continuation.yield(item) {
            if case .progress = item { return }
            hasMissed = true
        }
    }
}
