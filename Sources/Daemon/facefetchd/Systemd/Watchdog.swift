import Dispatch
import Synchronization

/// Feeds systemd's watchdog as long as all parts of the service are alive.
///
/// Each round asks every part to answer, and the watchdog is fed only once all have. A part that is
/// stuck doesn't answer, so the watchdog isn't fed again.
final class Watchdog: Sendable {
    /// A part that can show that it is alive.
    struct Part: Sendable {
        /// The part's name for people.
        var name: String
        /// Asks for an answer from the thread that does the part's work; must not wait for it.
        var ask: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

        init(
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
    private let recover: @Sendable () -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "facefetch.watchdog")
    private let interval: Double

    /// Starts to ask, at once and then repeatedly.
    ///
    /// - Parameters:
    ///   - interval: The seconds between two rounds: ``ServiceNotifier/watchdogInterval``.
    ///   - parts: The parts, all of which must answer.
    ///   - feed: Feeds the watchdog.
    ///   - complain: Called once with the parts that have not answered for a whole round.
    ///   - recover: Called once all have answered after that.
    init(
        interval: Double,
        parts: [Part],
        feed: @escaping @Sendable () -> Void,
        complain: @escaping @Sendable (String) -> Void,
        recover: @escaping @Sendable () -> Void = {}
    ) {
        self.parts = parts
        self.feed = feed
        self.complain = complain
        self.recover = recover
        self.interval = interval
        schedule(at: .now())
    }

    /// Stops asking and feeding.
    func stop() { state.withLock { $0.isOver = true } }

    private func schedule(at time: DispatchTime) {
        queue.asyncAfter(deadline: time) { [weak self] in
            guard let self, !state.withLock({ $0.isOver }) else { return }
            // From the time it was due, so that delays don't add up.
            schedule(at: time + interval)
            ask()
        }
    }

    private func ask() {
        let (round, silent) = state.withLock { state -> (Int?, [Int]) in
            guard !state.isOver else { return (nil, []) }
            // Parts that still owe an answer aren't asked again; an answer to the last round is as good.
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
        let (isComplete, hasRecovered) = state.withLock { state in
            guard state.round == round, state.missing.remove(index) != nil else { return (false, false) }
            guard state.missing.isEmpty, !state.isOver else { return (false, false) }
            defer { state.hasComplained = false }
            return (true, state.hasComplained)
        }
        if isComplete { feed() }
        if hasRecovered { recover() }
    }
}
