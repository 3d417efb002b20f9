import Dispatch
import Glibc
import Logging
import Synchronization
import SystemdSupport

/// The daemon's way out: asked for once, in order; asked for again, or when
/// that takes too long, at once.
///
/// Either way nothing is lost: what was told is on the disk.
final class Ending: Sendable {
    private struct State {
        var isRequested = false
        var cleanUp: @Sendable () -> Void = {}
    }

    /// Yields once, when the end is asked for.
    let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation
    private let state = Mutex(State())
    private let notifier: ServiceNotifier
    private let logger: Logger
    // Of its own, so that it works whatever hangs.
    private let queue = DispatchQueue(label: "facefetch.ending")

    init(notifier: ServiceNotifier, logger: Logger) {
        self.notifier = notifier
        self.logger = logger
        (requests, request) = AsyncStream.makeStream()
    }

    /// Whether the end has been asked for.
    var isRequested: Bool { state.withLock { $0.isRequested } }

    /// What has to be done even when there is time for nothing else; short, and from any thread.
    func setCleanUp(_ cleanUp: @escaping @Sendable () -> Void) {
        state.withLock { $0.cleanUp = cleanUp }
    }

    /// Asks for the end; the second time it comes at once.
    func ask() {
        let isFirst = state.withLock { state -> Bool in
            defer { state.isRequested = true }
            return !state.isRequested
        }
        guard isFirst else { endNow(status: 0) }
        // Whatever hangs, the daemon ends within 5 seconds; one of them is for a machine that is busy.
        queue.asyncAfter(deadline: .now() + 4) { [self] in endNow(status: 0) }
        notifier.stopping(status: "stopping…")
        request.yield()
        logger.notice("stopping")
    }

    /// Ends the process, without anything that could wait.
    func endNow(status: Int32) -> Never {
        // Never held while anything waits; and if it were, better to leave a file behind than not to go.
        let cleanUp = state.withLockIfAvailable { $0.cleanUp }
        cleanUp?()
        Glibc._exit(status)
    }
}
