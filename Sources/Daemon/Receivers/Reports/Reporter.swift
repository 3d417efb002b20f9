import Dispatch
import JobModel
import Logging

/// Reports faults of the daemon itself to whom the settings name, and to nobody unless they name somebody.
///
/// Reports are written to the state directory first, and sent by a thread of low priority, whose work holds up nobody.
/// What wasn't sent when the daemon ends, however that happens, is sent by the next one.
public final class Reporter: Sendable {
    private let thread: FollowerThread<ReporterLoop>

    /// The time that an end of the daemon, or a start after damage, waits for reports to be written.
    public static let patience = DispatchTimeInterval.seconds(1)

    /// Creates a reporter without a configuration, which touches nothing.
    ///
    /// - Parameters:
    ///   - directory: The directory for what was not sent yet.
    ///   - logger: The logger for its own troubles.
    public init(directory: String, logger: Logger) {
        let spool = ReportSpool(directory: directory)
        // Its niceness is below all that works for people. A fault that happens while an answer is waited for is
        // written at once, however slow the receiver is.
        thread = FollowerThread(
            .init(
                name: "ff-reporter",
                niceness: 15,
                readsWhileSending: true,
                lack: "errors can't be reported"
            ),
            logger: logger,
            nothing: ReporterNews(),
            idle: ReportingStatus(),
            whenOff: spool.removeAll
        ) { _ in ReporterLoop(spool: spool, logger: logger) }
    }

    /// Sets the configuration, nil to report nothing: then what was kept is removed.
    ///
    /// The first one starts the thread, which sends what the last run of the daemon has left. Each further one has
    /// whatever was delayed tried at once.
    public func configure(_ configuration: ReportingConfiguration?) { thread.configure(configuration) }

    /// Reports a fault, without waiting for anything; without a configuration, it is forgotten.
    public func report(_ fault: Fault) { thread.post { $0.add(.fault(fault)) } }

    /// Reports the end of a child; `path` is that of the document that it was looking at.
    public func report(_ child: Fault.Child, _ end: Fault.ChildEnd, at path: String?) {
        thread.post { $0.add(.child(child, end, path: path)) }
    }

    /// Notes that parts of the daemon are stuck, in which case its watchdog may end it.
    public func areStuck(_ parts: [Fault.Part]) {
        thread.post { news in
            news.stuck = .some(parts)
            news.add(.fault(.partsStuck(parts)))
        }
    }

    /// Notes that no part is stuck any more, so that an end of the daemon from now on is put down to none.
    public func noneIsStuck() { thread.post { $0.stuck = .some(nil) } }

    /// Waits until what was reported before is on the disk, or could not be written there, for so long at most.
    public func flush(for patience: DispatchTimeInterval = patience) { thread.flush(for: patience) }

    /// Ends the thread; reports that weren't taken are kept.
    public func stop(for patience: DispatchTimeInterval = patience) {
        thread.stop()
        thread.waitForEnd(for: patience)
    }

    /// The state of the reports.
    public var status: ReportingStatus { thread.status }
}
