import Dispatch
import Synchronization

/// Feeds systemd's watchdog as long as all parts of the service are alive.
///
/// Each round asks every part to answer; only when all have is the watchdog
/// fed. A part that is stuck doesn't answer, and then nobody feeds it again.
public final class Watchdog: Sendable {
    /// A part that can say that it is alive.
    public struct Part: Sendable {
        /// What people call it.
        public var name: String
        /// Asks for an answer, from whichever thread does the part's work; must not wait for it.
        public var ask: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

        /// A part with a name and a way to ask it.
        public init(
            _ name: String,
            ask: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
        ) {
            self.name = name
            self.ask = ask
        }
    }

    private struct State {
        var missing: Set<Int> = []
        var round = 0
        var hasComplained = false
        var isOver = false
    }

    private let parts: [Part]
    private let feed: @Sendable () -> Void
    private let complain: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "facefetch.watchdog")
    private let interval: Double

    /// Begins to ask, at once and then again and again.
    ///
    /// - Parameters:
    ///   - interval: Seconds between two rounds: ``ServiceNotifier/watchdogInterval``.
    ///   - parts: All of which must answer.
    ///   - feed: Feeds the watchdog.
    ///   - complain: Is told, once, which parts have not answered for a whole round.
    public init(
        interval: Double,
        parts: [Part],
        feed: @escaping @Sendable () -> Void,
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.parts = parts
        self.feed = feed
        self.complain = complain
        self.interval = interval
        schedule(at: .now())
    }

    /// Asks and feeds no more.
    public func stop() { state.withLock { $0.isOver = true } }

    private func schedule(at time: DispatchTime) {
        queue.asyncAfter(deadline: time) { [weak self] in
            guard let self, !state.withLock({ $0.isOver }) else { return }
            // From when it was due, so that what a round takes doesn't add up.
            schedule(at: time + interval)
            ask()
        }
    }

    private func ask() {
        let (round, silent) = state.withLock { state -> (Int?, [Int]) in
            guard !state.isOver else { return (nil, []) }
            // Whoever owes an answer isn't asked again: an answer to the last round is as good.
            guard state.missing.isEmpty else {
                defer { state.hasComplained = true }
                return (nil, state.hasComplained ? [] : state.missing.sorted())
            }
            state.round += 1
            state.missing = Set(parts.indices)
            return (state.round, [])
        }
        if !silent.isEmpty { complain(silent.map { parts[$0].name }.joined(separator: " and ")) }
        guard let round else { return }
        for index in parts.indices {
            parts[index].ask { [weak self] in self?.answered(index, round) }
        }
    }

    private func answered(_ index: Int, _ round: Int) {
        let isComplete = state.withLock { state in
            guard state.round == round, state.missing.remove(index) != nil else { return false }
            guard state.missing.isEmpty, !state.isOver else { return false }
            state.hasComplained = false
            return true
        }
        if isComplete { feed() }
    }
}
