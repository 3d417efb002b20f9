import JobEngine
import JobModel
import Synchronization
import Vocabulary

/// The events that one follower has not been sent yet.
///
/// Events are kept in order up to a limit, beyond which the follower is told that it missed some. The
/// same happens if all followers together have too much pending (``OutboxRoom``). Of each job's progress
/// only the latest is kept.
final class FollowerOutbox: Sendable {
    /// Everything that was pending at one moment.
    struct Contents: Sendable {
        var entries: [EventBus.Item] = []
        var needsHeartbeat = false
        var hasEnded = false
    }

    /// The minimum interval between writes of nothing but progress.
    private static let progressInterval = Duration.milliseconds(200)

    fileprivate struct State {
        var contents = Contents()
        var eventCount = 0
        /// The memory use of the entries in bytes.
        var size = 0
        /// The index of each job's progress in the entries, as long as nothing else about that job
        /// follows it.
        var progressPlaces: [JobID: Int] = [:]
        var hasMissed = false
        var lastProgress: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let batch: BatchID?
    private let limit: Int
    private let waker: AsyncStream<Void>.Continuation
    private let room: OutboxRoom?
    /// The outbox's number in the room, once it has one.
    private let place = Mutex<Int?>(nil)

    /// Yields once when there is something to take, however much has arrived.
    let wakeUps: AsyncStream<Void>

    /// Creates an empty outbox for the events of one batch or of all.
    ///
    /// `room` is shared with all other followers, and counts what each user takes up.
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

    /// Adds what the event bus delivers.
    func offer(_ item: EventBus.Item) { offer([item]) }

    /// Adds what the event bus delivers.
    func offer(_ items: [EventBus.Item]) {
        let (wakes, size) = state.withLock { state in
            var wakes = false
            for item in items where add(item, &state) { wakes = true }
            return (wakes, state.size)
        }
        if wakes { waker.yield() }
        tellRoom(size)
    }

    private func tellRoom(_ size: Int, hasTaken: Bool = false) {
        guard let room, let id = place.withLock({ $0 }) else { return }
        room.owes(id, size, hasTaken: hasTaken)
    }

    /// Drops all entries, because too many followers read too little.
    private func giveUp() {
        state.withLock { state in
            state.clear()
            state.miss()
        }
        waker.yield()
    }

    /// Adds an item; returns whether it is worth a write.
    private func add(_ item: EventBus.Item, _ state: inout State) -> Bool {
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

    /// Asks for a heartbeat to be sent.
    func askForHeartbeat() {
        state.withLock { $0.contents.needsHeartbeat = true }
        waker.yield()
    }

    /// Notes that nothing more will follow.
    func end() {
        state.withLock { $0.contents.hasEnded = true }
        waker.yield()
    }

    /// True if the entries have a gap.
    var hasMissed: Bool { state.withLock { $0.hasMissed } }

    /// Removes and returns all entries, or only the first ones if there are more than a number of bytes;
    /// the rest wakes the reader again.
    func drain(atMost bytes: Int = .max) -> Contents {
        let (taken, size) = state.withLock { ($0.drain(atMost: bytes), $0.size) }
        if size > 0 { waker.yield() }
        tellRoom(size, hasTaken: true)
        return taken
    }
}

extension FollowerOutbox.State {
    fileprivate mutating func drain(atMost bytes: Int) -> FollowerOutbox.Contents {
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
        let first = FollowerOutbox.Contents(
            entries: Array(contents.entries[..<rest]),
            needsHeartbeat: contents.needsHeartbeat
        )
        contents.entries.removeFirst(rest)
        contents.needsHeartbeat = false
        eventCount -= first.entries.count { if case .event = $0 { true } else { false } }
        size -= first.entries.reduce(0) { $0 + $1.size }
        // Further progress of a job gets a new entry.
        progressPlaces = [:]
        return first
    }

    /// Removes all entries; an outbox that has ended stays so.
    fileprivate mutating func clear() {
        contents = FollowerOutbox.Contents(hasEnded: contents.hasEnded)
        eventCount = 0
        size = 0
        progressPlaces = [:]
        hasMissed = false
    }

    private mutating func append(_ entry: EventBus.Item) {
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

    /// Drops everything up to the next ``FollowerOutbox/take()``.
    fileprivate mutating func miss() {
        guard !hasMissed else { return }
        hasMissed = true
        append(.missed)
    }
}

extension EventBus.Item {
    /// The approximate memory use in bytes, including texts that followers may share.
    var size: Int {
        switch self {
        case .event(let event): MemoryLayout<Self>.stride + event.kind.textLength
        case .progress, .missed: MemoryLayout<Self>.stride
        }
    }
}

extension JobEvent.Kind {
    fileprivate var textLength: Int {
        let parts = parts
        let count = { (text: String?) in text?.utf8.count ?? 0 }
        return count(parts.name) + count(parts.url) + count(parts.path) + count(parts.reason)
    }
}
