import CLinux
import Glibc
import JobCore
import JobModel
import Logging
import Synchronization

/// The doubt whether the machine's clock is right, which lasts over restarts of the daemon.
///
/// A start with a clock that is years ahead looks like a machine that was off for years, and what is deleted by age
/// would be gone. The next start wouldn't see anything strange, so an empty file notes the doubt.
final class ClockDoubt: Sendable {
    private let note: String
    private let logger: Logger
    /// The moment of the start, if the clock is doubted.
    private let since: Mutex<Moment?>

    /// Doubts a clock that shows more than it may at a start, or that has been doubted before.
    ///
    /// - Parameter last: What it showed in the last run, as far as that is known.
    init(now: Moment, last: Timestamp?, stateDirectory: String, logger: Logger) {
        note = stateDirectory + "/clock-in-doubt"
        self.logger = logger
        let isNew = JobKeeping.doubts(now.wall, after: last)
        let isDoubted = isNew || access(note, F_OK) == 0
        since = Mutex(isDoubted ? now : nil)
        guard isNew, let last else { return }
        let file = open(note, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if file >= 0 { close(file) }
        logger.warning(
            """
            the clock shows \(now.wall.rfc3339), and was last seen at \(last.rfc3339): no job is forgotten for its age \
            (jobs.keep) until the clock is synchronized; look whether it is right
            """
        )
    }

    /// The moment since which the clock is doubted in this run; nil if it is believed.
    var moment: Moment? { since.withLock { $0 } }

    /// True if the kernel knows the clock to be synchronized (adjtimex(2)).
    var isSynchronized: Bool { CLinux_clock_is_synchronized() == 1 }

    /// Notes that the clock is believed from now on.
    func end() {
        let wasDoubted = since.withLock { since in
            defer { since = nil }
            return since != nil
        }
        guard wasDoubted else { return }
        _ = unlink(note)
        logger.notice("the clock is believed again")
    }
}
