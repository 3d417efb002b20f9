import Dispatch
import Glibc
import Logging
import Synchronization

/// The daemon's way out.
///
/// It is graceful at first, and immediate when asked for again or when it takes too long. Nothing is
/// lost either way, because everything reported is on the disk.
final class Ending: Sendable {
    /// Yields once, when the daemon is asked to end.
    let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation
    private let requested = Mutex(false)
    private let cleanUp: @Sendable () -> Void
    private let notifier: ServiceNotifier
    private let logger: Logger
    // A separate queue, so that it works whatever hangs.
    private let queue = DispatchQueue(label: "facefetch.ending")

    /// Creates a way out on which `cleanUp` is called, on any thread, even if there is no time for anything else.
    init(notifier: ServiceNotifier, logger: Logger, cleanUp: @escaping @Sendable () -> Void) {
        self.notifier = notifier
        self.logger = logger
        self.cleanUp = cleanUp
        (requests, request) = AsyncStream.makeStream()
    }

    /// True if the daemon has been asked to end.
    var isRequested: Bool { requested.withLock(\.self) }

    /// Asks the daemon to end, which the second time happens at once.
    func ask() {
        let isFirst = requested.withLock { isRequested in
            defer { isRequested = true }
            return !isRequested
        }
        guard isFirst else { endNow(status: 0) }
        // Whatever hangs, the daemon ends within 5 seconds, of which one is reserved for a busy machine.
        queue.asyncAfter(deadline: .now() + 4) { [self] in endNow(status: 0) }
        notifier.stopping(status: "stopping…")
        request.yield()
        logger.notice("stopping")
    }

    /// Ends the process without doing anything that could block.
    func endNow(status: Int32) -> Never {
        cleanUp()
        Glibc._exit(status)
    }
}
