import JobCore
import JobEngine
import Synchronization

/// What one follower of events is owed and has not been sent yet.
///
/// Events are kept in order, up to a limit; past it the follower is told that
/// it missed some. Progress is kept once a job: only the latest matters.
final class Outbox: Sendable {
    /// One thing to send.
    enum Entry: Hashable, Sendable {
        case event(JobEvent)
        case progress(JobID, BatchID, LiveTransfer)
        /// Events are missing here.
        case missed
    }

    /// All that there was to send at one moment.
    struct Contents: Sendable {
        var entries: [Entry] = []
        var needsHeartbeat = false
        var hasEnded = false
    }

    /// How often progress alone is worth a write.
    private static let progressInterval = Duration.milliseconds(200)

    fileprivate struct State {
        var contents = Contents()
        var eventCount = 0
        /// Where a job's progress stands in the entries, while nothing else of that job came after it.
        var progressPlaces: [JobID: Int] = [:]
        var hasMissed = false
        var lastProgress: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let batch: BatchID?
    private let limit: Int
    private let waker: AsyncStream<Void>.Continuation

    /// Yields once when there is something to take, however much came meanwhile.
    let wakeUps: AsyncStream<Void>

    /// An empty outbox for the events of one batch, or of all.
    init(batch: BatchID?, limit: Int) {
        self.batch = batch
        self.limit = limit
        (wakeUps, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes in what the bus says.
    func offer(_ item: EventBus.Item) { offer([item]) }

    /// Takes in what the bus says.
    func offer(_ items: [EventBus.Item]) {
        let wakes = state.withLock { state in
            var wakes = false
            for item in items where take(item, &state) { wakes = true }
            return wakes
        }
        if wakes { waker.yield() }
    }

    /// Whether the item is worth a write.
    private func take(_ item: EventBus.Item, _ state: inout State) -> Bool {
        switch item {
        case .event(let event):
            guard batch == nil || batch == event.batch else { return false }
            state.add(event, limit: limit)
            return true
        case .progress(let job, let of, let transfer):
            guard batch == nil || batch == of else { return false }
            return state.add(job, of, transfer, interval: Self.progressInterval)
        case .missed:
            state.miss()
            return true
        }
    }

    /// Asks for a sign of life.
    func askForHeartbeat() {
        state.withLock { $0.contents.needsHeartbeat = true }
        waker.yield()
    }

    /// Says that nothing more comes.
    func end() {
        state.withLock { $0.contents.hasEnded = true }
        waker.yield()
    }

    /// True when something is missing from what is in here.
    var hasMissed: Bool { state.withLock { $0.hasMissed } }

    /// Takes all that is in here.
    func take() -> Contents {
        state.withLock { state in
            defer {
                state.contents = Contents(hasEnded: state.contents.hasEnded)
                state.eventCount = 0
                state.progressPlaces = [:]
                state.hasMissed = false
            }
            return state.contents
        }
    }
}

extension Outbox.State {
    fileprivate mutating func add(_ event: JobEvent, limit: Int) {
        guard !hasMissed else { return }
        guard eventCount < limit else {
            miss()
            return
        }
        eventCount += 1
        progressPlaces[event.job] = nil
        contents.entries.append(.event(event))
    }

    fileprivate mutating func add(
        _ job: JobID,
        _ batch: BatchID,
        _ transfer: LiveTransfer,
        interval: Duration
    ) -> Bool {
        guard !hasMissed else { return false }
        if let place = progressPlaces[job] {
            contents.entries[place] = .progress(job, batch, transfer)
        } else {
            progressPlaces[job] = contents.entries.count
            contents.entries.append(.progress(job, batch, transfer))
        }
        let now = ContinuousClock.now
        if let lastProgress, now - lastProgress < interval { return false }
        lastProgress = now
        return true
    }

    /// From here to the next ``Outbox/take()`` nothing is kept.
    fileprivate mutating func miss() {
        guard !hasMissed else { return }
        hasMissed = true
        contents.entries.append(.missed)
    }
}
