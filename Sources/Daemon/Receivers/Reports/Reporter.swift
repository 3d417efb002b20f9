import CLinux
import CurlTransfer
import Dispatch
import Glibc
import JobModel
import Logging
import Synchronization

/// Reports faults of the daemon itself to whom the settings name, and to nobody unless they name somebody.
///
/// Reports are written to the state directory first, and sent by a thread of low priority, for which nothing waits.
/// What wasn't sent when the daemon ends, however that happens, is sent by the next one.
public final class Reporter: Sendable {
    private let mailbox = PostMailbox(ReporterMail())
    private let current = Mutex(ReportingStatus())
    private let hasStarted = Mutex(false)
    private let spool: ReportSpool
    private let logger: Logger
    private let end = DispatchSemaphore(value: 0)

    /// The time that an end of the daemon, or a start after damage, waits for reports to be written.
    public static let patience = DispatchTimeInterval.seconds(1)
    /// The thread's niceness: below all that works for people.
    private static let niceness: Int32 = 15

    /// Creates a reporter without a configuration, which touches nothing.
    ///
    /// - Parameters:
    ///   - directory: The directory for what was not sent yet.
    ///   - logger: The logger for its own troubles.
    public init(directory: String, logger: Logger) {
        spool = ReportSpool(directory: directory)
        self.logger = logger
    }

    /// Sets the configuration, nil to report nothing.
    ///
    /// Whatever was delayed is tried at once. Without a configuration there is no thread, and nothing is kept.
    public func configure(_ configuration: ReportingConfiguration?) {
        let (isFirst, isRunning) = hasStarted.withLock { hasStarted in
            let before = hasStarted
            hasStarted = before || configuration != nil
            return (!before && hasStarted, hasStarted)
        }
        guard isRunning else { return spool.removeAll() }
        mailbox.post { $0.configuration = .some(configuration) }
        guard isFirst, !PostThread.start({ [self] in run() }) else { return }
        logger.error("errors can't be reported: there are no threads left")
    }

    /// Reports a fault, without waiting for anything.
    public func report(_ fault: Fault) { tell { $0.add(.fault(fault)) } }

    /// Reports the end of a child; `path` is that of the document that it was looking at.
    public func report(_ child: Fault.Child, _ end: Fault.ChildEnd, at path: String?) {
        tell { $0.add(.child(child, end, path: path)) }
    }

    /// Notes that parts of the daemon are stuck, in which case its watchdog may end it.
    public func areStuck(_ parts: [Fault.Part]) {
        tell { mail in
            mail.stuck = .some(parts)
            mail.add(.fault(.partsStuck(parts)))
        }
    }

    /// Notes that no part is stuck any more.
    public func noneIsStuck() { tell { $0.stuck = .some(nil) } }

    /// Waits until what was reported is on the disk, but not for long.
    public func flush(for patience: DispatchTimeInterval = patience) {
        guard hasStarted.withLock({ $0 }) else { return }
        let written = DispatchSemaphore(value: 0)
        mailbox.post { $0.waiters.append(written) }
        _ = written.wait(timeout: .now() + patience)
    }

    /// Ends the thread; reports that weren't taken are kept.
    public func stop(for patience: DispatchTimeInterval = patience) {
        guard hasStarted.withLock({ $0 }) else { return }
        mailbox.stop()
        _ = end.wait(timeout: .now() + patience)
    }

    /// The state of the reports.
    public var status: ReportingStatus { current.withLock { $0 } }

    /// Posts something, if somebody reads it.
    private func tell(_ change: (inout ReporterMail) -> Void) {
        guard hasStarted.withLock({ $0 }) else { return }
        mailbox.post(change)
    }

    private func run() {
        CLinux_begin_thread("ff-reporter", Self.niceness)
        defer { end.signal() }
        guard let sender = PostSender(mailbox) else {
            return logger.error("errors can't be reported: libcurl has no memory")
        }
        var loop = ReporterLoop(spool: spool, logger: logger)
        while !mailbox.isStopped {
            read(&loop)
            switch loop.step(now: PostThread.now()) {
            case .send(let name, let request):
                // A fault that happens meanwhile is written at once, however slow the receiver is.
                let answer = sender.send(request) { read(&loop) }
                if let answer { loop.answered(name, answer, now: PostThread.now()) }
            case .wait(let seconds): sender.wait(seconds: seconds)
            }
        }
        read(&loop)
        loop.end()
    }

    private func read(_ loop: inout ReporterLoop) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let mail = mailbox.drain()
        loop.handle(mail, wall: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
        let status = loop.status(now: PostThread.now())
        current.withLock { $0 = status }
        // Last, so that who has waited sees all of it.
        for waiter in mail.waiters { waiter.signal() }
    }
}
