import Dispatch
import Glibc
import Logging
import Synchronization
import SystemdSupport

/// The daemon's way out.
///
/// It is graceful at first, and immediate when asked for again or when it takes too long. Nothing is
/// lost either way, because everything reported is on the disk.
final class Ending: Sendable {
    private struct State {
        var isRequested = false
        var cleanUp: @Sendable () -> Void = {}
    }

    /// Yields once, when the daemon is asked to end.
    let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation
    private let state = Mutex(State())
    private let notifier: ServiceNotifier
    private let logger: Logger
    // A separate queue, so that it works whatever hangs.
    private let queue = DispatchQueue(label: "facefetch.ending")

    init(notifier: ServiceNotifier, logger: Logger) {
        self.notifier = notifier
        self.logger = logger
        (requests, request) = AsyncStream.makeStream()
    }

    /// True if the daemon has been asked to end.
    var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Sets a short function to be called, on any thread, even if there is no time for anything else.
    func setCleanUp(_ cleanUp: @escaping @Sendable () -> Void) {
        state.withLock { $0.cleanUp = cleanUp }
    }

    /// Asks the daemon to end, which the second time happens at once.
    func ask() {
        let isFirst = state.withLock { state -> Bool in
            defer { state.isRequested = true }
            return !state.isRequested
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
        // The lock is never held for long; if it is, leaving a file behind is better than not ending.
        let cleanUp = state.withLockIfAvailable { $0.cleanUp }
        cleanUp?()
        Glibc._exit(status)
    }
}
