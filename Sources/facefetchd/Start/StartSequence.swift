import Dispatch
import Logging
import Synchronization
import SystemdSupport

/// A part of the daemon that is started.
struct StartPart {
    /// What it is, to go after "opening" or "starting": for the status line and for errors.
    var name: String
    /// What is being done, for the status line.
    var status: String
    /// Seconds after which something must be wrong.
    var limit: Double
    /// What to do then: an order.
    var remedy: String
}

/// Starts the parts in order: each is said in the status line, and none may take for ever.
struct StartSequence {
    let notifier: ServiceNotifier
    let logger: Logger
    let ending: Ending

    /// Starts a part.
    ///
    /// - Throws: ``StartFailure``: the part's own, or that the daemon was told to end meanwhile.
    func start<Value>(
        _ part: StartPart,
        _ body: () async throws(StartFailure) -> Value
    ) async throws(StartFailure) -> Value {
        // Nothing has been promised to anyone yet.
        guard !ending.isRequested else { throw StartFailure(status: .stopped, description: "stopped") }
        notifier.status(part.status)
        // The service manager's own limit is for all parts together.
        notifier.extendTimeout(seconds: part.limit + 5)
        let limit = TimeLimit(seconds: part.limit) { [logger, ending] in
            logger.critical(
                "\(part.name) did not start within \(Int(part.limit)) seconds; \(part.remedy), then start the daemon again"
            )
            ending.endNow(status: StartFailure.Status.tookTooLong.rawValue)
        }
        defer { limit.cancel() }
        return try await body()
    }
}

/// Something that happens unless it is called off in time.
private final class TimeLimit: Sendable {
    private let isOver = Mutex(false)

    init(seconds: Double, then act: @escaping @Sendable () -> Void) {
        // A queue of its own: the shared ones may be what hangs.
        DispatchQueue(label: "facefetch.start-limit").asyncAfter(deadline: .now() + seconds) { [self] in
            if isOver.withLock({ !$0 }) { act() }
        }
    }

    func cancel() { isOver.withLock { $0 = true } }
}
