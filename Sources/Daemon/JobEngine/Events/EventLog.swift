import Dispatch
import Glibc
import JobModel
import Logging
import Synchronization

/// The event log's file, to which each event is appended as a line once it is durable.
///
/// The file follows the store. Events that could not be written when they were published, for lack of
/// space or because of a crash, are read from the store again later, so that every line is there exactly
/// once and in order. Nothing accumulates in memory meanwhile.
public final class EventLog: EventSink {
    /// The file's path.
    public let path: String

    private let queue = DispatchQueue(label: "facefetch.event-log")
    private let logger: Logger
    private let writer: Mutex<EventLogWriter>
    private let arrivals = Mutex(Arrivals())
    private let written: Atomic<Int64>

    /// Events that have been published but not written yet.
    private struct Arrivals {
        var turns: [EventLines] = []
        var count = 0
        /// The id of the last published event.
        var newest: Int64 = 0
        /// True if the queue has work scheduled that will write them, now or in a later attempt.
        var isTaken = false
        var willRetry = false
        var isHeld = false
        var hasComplained = false

        /// Drops the waiting lines, which the store still has.
        mutating func letGo() {
            turns = []
            count = 0
        }
    }

    /// The most events kept in memory; the store has any others.
    private static let waitingLimit = 20_000
    /// The seconds after which a failed write is tried again.
    private static let retryInterval = 1.0
    /// The seconds to wait for a write in progress before giving up.
    private static let holdLimit = 2.0

    /// Opens the log, and begins to append the events that it lacks.
    ///
    /// Lack of space is not an error: the file gets its lines when there is room. A log that is held
    /// writes nothing before ``goOnWriting()``.
    public init(
        path: String,
        history: any EventHistory,
        isHeld: Bool = false,
        logger: Logger
    ) throws(EventLogError) {
        self.path = path
        self.logger = logger
        let writer: EventLogWriter
        do {
            writer = try EventLogWriter(path: path, history: history)
        } catch let error as EventLogError {
            throw error
        } catch {
            throw EventLogError(path: path, reason: "the job store can't be read: \(error)")
        }
        let newest = (try? history.keptEvents(upTo: .max, limit: 1).last?.id) ?? 0
        written = Atomic(writer.written)
        if !writer.isJoined {
            logger.warning(
                """
                the event log \(path) starts again with the next event, because the end of its last \
                rotated file can't be read
                """
            )
        }
        self.writer = Mutex(writer)
        arrivals.withLock { arrivals in
            arrivals.newest = max(newest, written.load(ordering: .relaxed))
            arrivals.isHeld = isHeld
        }
        work()
    }

    /// Appends the events of one turn.
    ///
    /// This never blocks.
    public func append(_ events: EventLines) {
        guard let last = events.events.last else { return }
        let isFirst = arrivals.withLock { arrivals in
            arrivals.newest = last.id
            arrivals.turns.append(events)
            arrivals.count += events.events.count
            if arrivals.count > Self.waitingLimit { arrivals.letGo() }
            defer { arrivals.isTaken = true }
            return !arrivals.isTaken && !arrivals.willRetry && !arrivals.isHeld
        }
        if isFirst { queue.async { [self] in work() } }
    }

    /// The id of the last event whose line is in the file.
    public var writtenThrough: Int64? { written.load(ordering: .relaxed) }

    /// Stops writing, because the disk's last space is reserved for the store; returns once nothing is
    /// being written, or false if that takes long.
    public func holdWriting() -> Bool {
        arrivals.withLock { $0.isHeld = true }
        let isOver = DispatchSemaphore(value: 0)
        queue.async { isOver.signal() }
        return isOver.wait(timeout: .now() + Self.holdLimit) == .success
    }

    /// Resumes writing, including what has arrived in the meantime.
    public func goOnWriting() {
        arrivals.withLock { $0.isHeld = false }
        queue.async { [self] in work() }
    }

    /// Reopens the file by its path, after rotation has renamed it.
    ///
    /// Lines being written still go to the old file.
    ///
    /// - Throws: ``EventLogError``, in which case the old file stays in use.
    public func reopen() throws(EventLogError) {
        let descriptor = try EventLogWriter.open(path)
        queue.sync {
            work()
            writer.withLock { $0.use(descriptor) }
            work()
        }
    }

    /// Returns when all appended events are in the file, or can't be written for now.
    public func flush() { queue.sync { work() } }

    /// Writes all waiting lines; on the queue, except for the first time.
    private func work() {
        while true {
            let (turns, newest) = arrivals.withLock { arrivals -> ([EventLines], Int64?) in
                arrivals.isTaken = false
                guard !arrivals.isHeld else { return ([], nil) }
                defer { arrivals.letGo() }
                return (arrivals.turns, arrivals.newest)
            }
            guard let newest else { return }
            do {
                let isDone = try writer.withLock { writer in
                    defer { written.store(writer.written, ordering: .relaxed) }
                    try writer.write(turns, through: newest) { arrivals.withLock { !$0.isHeld } }
                    return writer.written >= newest
                }
                guard !isDone else { return succeeded() }
                if arrivals.withLock({ $0.isHeld }) { return }
            } catch {
                return failed(error)
            }
        }
    }

    private func succeeded() {
        let complained = arrivals.withLock { arrivals in
            defer { arrivals.hasComplained = false }
            return arrivals.hasComplained
        }
        if complained { logger.notice("the event log \(path) can be written again; no lines are missing") }
    }

    private func failed(_ error: any Error) {
        let (isNew, retries) = arrivals.withLock { arrivals in
            defer { (arrivals.hasComplained, arrivals.willRetry) = (true, true) }
            return (!arrivals.hasComplained, !arrivals.willRetry)
        }
        if isNew {
            logger.error(
                "can't write the event log \(path): \(error); missing lines follow once it can be written"
            )
        }
        guard retries else { return }
        queue.asyncAfter(deadline: .now() + Self.retryInterval) { [weak self] in
            guard let self else { return }
            arrivals.withLock { $0.willRetry = false }
            work()
        }
    }
}

/// The reason why the event log can't be opened, with advice on what to do.
public struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path.
    public var path: String
    /// The system's error message.
    public var reason: String
    /// True if the cause is only lack of space, which may pass.
    var isLackOfRoom = false

    /// A sentence for people.
    public var description: String {
        "can't write the event log \(path): \(reason); make it writable for the daemon's user, or choose another --event-log"
    }
}

/// The source from which the event log reads events whose lines it could not write when they were
/// published.
public protocol EventHistory: Sendable {
    /// Returns about `limit` events with ids above `after`, in ascending order and in whole turns.
    func keptEvents(after: Int64, limit: Int) throws -> [JobEvent]
    /// Returns about `limit` of the newest events with ids up to `last`, in ascending order and in whole
    /// turns.
    func keptEvents(upTo last: Int64, limit: Int) throws -> [JobEvent]
}
