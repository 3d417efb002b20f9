import Dispatch
import Logging
import Synchronization
import SystemdSupport

/// A part of the daemon that is started.
struct StartPart {
    /// The name of the part, used in the status line and in errors.
    var name: String
    /// The text for the status line.
    var status: String
    /// The time limit in seconds, after which something must be wrong.
    var limit: Double
    /// The remedy, as an imperative.
    var remedy: String
}

/// Starts the parts in order, showing each in the status line and limiting its time.
struct StartSequence {
    let notifier: ServiceNotifier
    let logger: Logger
    let ending: Ending

    /// Starts a part.
    ///
    /// - Throws: ``StartFailure`` of the part itself, or if the daemon is told to end meanwhile.
    func start<Value>(
        _ part: StartPart,
        _ body: () async throws(StartFailure) -> Value
    ) async throws(StartFailure) -> Value {
        // Nobody has been promised anything yet.
        guard !ending.isRequested else { throw StartFailure(status: .stopped, description: "stopped") }
        notifier.status(part.status)
        // The service manager's own limit applies to all parts together.
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

/// An action that happens unless it is cancelled in time.
private final class TimeLimit: Sendable {
    private let isOver = Mutex(false)

    init(seconds: Double, then act: @escaping @Sendable () -> Void) {
        // A separate queue, since the shared ones may be what hangs.
        DispatchQueue(label: "facefetch.start-limit").asyncAfter(deadline: .now() + seconds) { [self] in
            if isOver.withLock({ !$0 }) { act() }
        }
    }

    func cancel() { isOver.withLock { $0 = true } }
}
