import Dispatch
import Synchronization

extension Daemon.Surroundings {
    /// Starts a part: it is shown in the status line, and its time is limited.
    ///
    /// - Parameters:
    ///   - name: The name of the part, for errors.
    ///   - status: The text for the status line.
    ///   - limit: The seconds after which something must be wrong.
    ///   - remedy: The remedy then, as an imperative.
    ///   - failing: The exit status for an error that has none.
    func start<Value, Failure: Error & CustomStringConvertible>(
        _ name: String,
        status: String,
        limit: Double,
        remedy: String,
        failing: StartFailure.Status = .cannotWrite,
        _ body: () async throws(Failure) -> Value
    ) async throws(StartFailure) -> Value {
        // Nobody has been promised anything yet.
        guard !ending.isRequested else { throw StartFailure(status: .stopped, description: "stopped") }
        notifier.status(status)
        // The service manager's own limit applies to all parts together.
        notifier.extendTimeout(seconds: limit + 5)
        let timer = TimeLimit(seconds: limit) { [logger, ending] in
            logger.critical(
                "\(name) did not start within \(Int(limit)) seconds; \(remedy), then start the daemon again"
            )
            ending.endNow(status: StartFailure.Status.tookTooLong.rawValue)
        }
        defer { timer.cancel() }
        do { return try await body() } catch {
            throw error as? StartFailure ?? StartFailure(status: failing, description: error.description)
        }
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
