import Dispatch
import Glibc
import JobCore
import Logging
import Synchronization

/// The event log's file: a line an event, appended as events become durable.
///
/// The file follows the store. What it could not take when it was told, for want of room or
/// because a crash came first, is read from the store again when it can, so that every line is
/// there once, in order. Nothing of a shortage is kept in memory.
public final class EventLog: EventSink {
    /// The file's path.
    public let path: String

    private let queue = DispatchQueue(label: "facefetch.event-log")
    private let logger: Logger
    private let writer: Mutex<EventLogWriter>
    private let arrivals = Mutex(Arrivals())
    private let written: Atomic<Int64>

    /// What was told and is not written yet.
    private struct Arrivals {
        var turns: [EventLines] = []
        var count = 0
        /// The id of the last event that was told.
        var newest: Int64 = 0
        /// Whether a turn of the queue is coming that takes it out, or a later one that tries again.
        var isTaken = false
        var willRetry = false
        var isHeld = false
        var hasComplained = false

        /// Forgets the lines that wait: they are in the store.
        mutating func letGo() {
            turns = []
            count = 0
        }
    }

    /// Events that wait in memory; beyond these, the store has them.
    private static let waitingLimit = 20_000
    /// Seconds after which a file that could not be written is tried again.
    private static let retryInterval = 1.0
    /// Seconds that a write may take before nobody waits for it any longer.
    private static let holdLimit = 2.0

    /// Opens the log, and begins to bring it up to date with what the store has kept.
    ///
    /// A file that has no room is not refused: it gets its lines when there is some. One that is
    /// held writes nothing before ``goOnWriting()``.
    ///
    /// - Throws: ``EventLogError``
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
                the event log \(path) begins anew with the next event: the end of its last rotated file \
                can't be read
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

    /// Takes the events of one turn.
    ///
    /// Never blocks.
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

    /// Stops writing, as the disk's last room is somebody else's; returns when nothing is being written,
    /// or false where that takes long.
    public func holdWriting() -> Bool {
        arrivals.withLock { $0.isHeld = true }
        let isOver = DispatchSemaphore(value: 0)
        queue.async { isOver.signal() }
        return isOver.wait(timeout: .now() + Self.holdLimit) == .success
    }

    /// Goes on writing, with what has come meanwhile.
    public func goOnWriting() {
        arrivals.withLock { $0.isHeld = false }
        queue.async { [self] in work() }
    }

    /// Opens the path anew, for a log that was renamed by rotation.
    ///
    /// Lines that are on their way go to the file of the old name.
    ///
    /// - Throws: ``EventLogError``; the log goes on in the old file then.
    public func reopen() throws(EventLogError) {
        let descriptor = try EventLogWriter.open(path)
        queue.sync {
            work()
            writer.withLock { $0.use(descriptor) }
            work()
        }
    }

    /// Returns when all that was appended is in the file, or can't be for now.
    public func flush() { queue.sync { work() } }

    /// Writes all there is; on the queue, but for the first time.
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
        if complained { logger.notice("the event log \(path) can be written again, and lacks nothing") }
    }

    private func failed(_ error: any Error) {
        let (isNew, retries) = arrivals.withLock { arrivals in
            defer { (arrivals.hasComplained, arrivals.willRetry) = (true, true) }
            return (!arrivals.hasComplained, !arrivals.willRetry)
        }
        if isNew {
            logger.error(
                "can't write the event log \(path): \(error); its lines follow once it can be written"
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
