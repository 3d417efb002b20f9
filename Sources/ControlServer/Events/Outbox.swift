import JobCore
import JobEngine
import Synchronization

/// What one follower of events is owed and has not been sent yet.
///
/// Events are kept in order, up to a limit; past it the follower is told that
/// it missed some, and so it is where all followers together are owed too much (``OutboxRoom``).
/// Progress is kept once a job: only the latest matters.
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
        /// What the entries take of memory, in bytes.
        var size = 0
        /// Where a job's progress stands in the entries, while nothing else of that job came after it.
        var progressPlaces: [JobID: Int] = [:]
        var hasMissed = false
        var lastProgress: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let batch: BatchID?
    private let limit: Int
    private let waker: AsyncStream<Void>.Continuation
    private let room: OutboxRoom?
    /// The place in the room, once there is one.
    private let place = Mutex<Int?>(nil)

    /// Yields once when there is something to take, however much came meanwhile.
    let wakeUps: AsyncStream<Void>

    /// An empty outbox for the events of one batch, or of all.
    ///
    /// `room` is shared with all other followers; the user's share of it counts.
    init(batch: BatchID?, limit: Int, room: OutboxRoom? = nil, user: UInt32? = nil) {
        self.batch = batch
        self.limit = limit
        self.room = room
        (wakeUps, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = room?.enter(user: user) { [weak self] in self?.giveUp() }
        place.withLock { $0 = id }
    }

    deinit {
        if let id = place.withLock({ $0 }) { room?.leave(id) }
    }

    /// Takes in what the bus says.
    func offer(_ item: EventBus.Item) { offer([item]) }

    /// Takes in what the bus says.
    func offer(_ items: [EventBus.Item]) {
        let (wakes, size) = state.withLock { state in
            var wakes = false
            for item in items where take(item, &state) { wakes = true }
            return (wakes, state.size)
        }
        if wakes { waker.yield() }
        tellRoom(size)
    }

    private func tellRoom(_ size: Int, hasTaken: Bool = false) {
        guard let room, let id = place.withLock({ $0 }) else { return }
        room.owes(id, size, hasTaken: hasTaken)
    }

    /// Lets go of all that is in here: there are too many who read too little.
    private func giveUp() {
        state.withLock { state in
            state.clear()
            state.miss()
        }
        waker.yield()
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

    /// Takes all that is in here, or of more than so many bytes the beginning; the rest has a wake-up
    /// of its own.
    func take(atMost bytes: Int = .max) -> Contents {
        let (taken, size) = state.withLock { ($0.take(atMost: bytes), $0.size) }
        if size > 0 { waker.yield() }
        tellRoom(size, hasTaken: true)
        return taken
    }
}

extension Outbox.State {
    fileprivate mutating func take(atMost bytes: Int) -> Outbox.Contents {
        guard size > bytes else {
            defer { clear() }
            return contents
        }
        var taken = 0
        let rest = contents.entries.firstIndex { entry in
            defer { taken += entry.size }
            return taken >= bytes
        }
        guard let rest else {
            defer { clear() }
            return contents
        }
        let first = Outbox.Contents(
            entries: Array(contents.entries[..<rest]),
            needsHeartbeat: contents.needsHeartbeat
        )
        contents.entries.removeFirst(rest)
        contents.needsHeartbeat = false
        eventCount -= first.entries.count { if case .event = $0 { true } else { false } }
        size -= first.entries.reduce(0) { $0 + $1.size }
        // What comes of a job from now on is a further entry.
        progressPlaces = [:]
        return first
    }

    /// Nothing is in here any more; the end stays the end.
    fileprivate mutating func clear() {
        contents = Outbox.Contents(hasEnded: contents.hasEnded)
        eventCount = 0
        size = 0
        progressPlaces = [:]
        hasMissed = false
    }

    private mutating func append(_ entry: Outbox.Entry) {
        contents.entries.append(entry)
        size += entry.size
    }

    fileprivate mutating func add(_ event: JobEvent, limit: Int) {
        guard !hasMissed else { return }
        guard eventCount < limit else {
            miss()
            return
        }
        eventCount += 1
        progressPlaces[event.job] = nil
        append(.event(event))
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
            append(.progress(job, batch, transfer))
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
        append(.missed)
    }
}
