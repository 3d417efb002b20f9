import Dispatch
import Glibc
import JobCore
import Logging
import Synchronization

/// The event log's file: a line an event, appended as events become durable.
///
/// The file follows the store. What a crash kept from it is appended at the
/// next start, and a line that was cut off in the middle is removed first.
public final class EventLog: EventSink {
    /// The file's path.
    public let path: String

    private let queue = DispatchQueue(label: "facefetch.event-log")
    private let logger: Logger
    private let file: Mutex<CInt>
    /// What could not be written yet.
    ///
    /// Past its limit the file stays as it is, and the next start appends what is missing.
    private let backlog = Mutex<[UInt8]>([])
    private static let backlogLimit = 16 << 20

    /// Opens the log, and brings it up to date with the newest events of the store.
    ///
    /// - Throws: ``EventLogError``
    public init(path: String, history: [JobEvent], logger: Logger) throws(EventLogError) {
        self.path = path
        self.logger = logger
        let descriptor = try Self.open(path)
        file = Mutex(descriptor)
        let tail = EventLogTail(descriptor: descriptor, rotatedPath: path + ".1")
        tail.removeTornLine()
        write(EventLines(tail.missing(from: history)).text)
    }

    deinit { _ = file.withLock { close($0) } }

    /// Takes the events of one turn.
    ///
    /// Never blocks.
    public func append(_ events: EventLines) {
        queue.async { [self] in write(events.text) }
    }

    /// Opens the path anew, for a log that was renamed by rotation.
    ///
    /// Lines that are on their way go to the file of the old name.
    ///
    /// - Throws: ``EventLogError``; the log goes on in the old file then.
    public func reopen() throws(EventLogError) {
        let descriptor = try Self.open(path)
        let old = queue.sync {
            file.withLock { file in
                defer { file = descriptor }
                return file
            }
        }
        close(old)
    }

    /// Returns when all that was appended is in the file.
    public func flush() { queue.sync {} }

    private static func open(_ path: String) throws(EventLogError) -> CInt {
        let descriptor = Glibc.open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            throw EventLogError(path: path, reason: String(cString: strerror(errno)))
        }
        return descriptor
    }

    private func write(_ text: [UInt8]) {
        guard !text.isEmpty else { return }
        let descriptor = file.withLock { $0 }
        let failure = backlog.withLock { backlog -> CInt? in
            guard backlog.count + text.count <= Self.backlogLimit else { return nil }
            backlog += text
            while !backlog.isEmpty {
                let count = backlog.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return errno }
                backlog.removeFirst(count)
            }
            return nil
        }
        if let failure {
            logger.error(
                """
                can't write the event log \(path): \(String(cString: strerror(failure))); \
                its lines follow when that is over
                """
            )
        }
    }
}
