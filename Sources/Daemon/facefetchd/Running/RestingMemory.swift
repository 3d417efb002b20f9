import CLinux
import Dispatch
import JobEngine
import Synchronization

/// Gives memory back to the system when the daemon has been idle for a while: what start and work have
/// needed, and idling doesn't.
final class RestingMemory: Sendable {
    private struct State {
        /// The time since which nothing has been transferred or looked at; nil while something is.
        var restsSince: DispatchTime?
        var isScheduled = false

        /// Returns when to check, unless a check is already scheduled.
        mutating func schedule() -> DispatchTime? {
            guard let restsSince, !isScheduled else { return nil }
            isScheduled = true
            return restsSince + RestingMemory.delay
        }
    }

    /// The bytes of freed memory that each arena keeps while there is work: twice what the buffers of many
    /// transfers take (``CurlTransferConfiguration/receiveBufferSize``).
    static let kept = 64 << 20

    /// The idle time to wait for, longer than the pauses between the files of a batch.
    private static let delay = DispatchTimeInterval.seconds(10)

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "facefetch.resting-memory")

    /// Heeds a new status; it is called after each of the engine's turns, so it does little if nothing
    /// has changed.
    func show(_ status: EngineStatus) {
        let rests = status.activeTransfers == 0 && status.activeDetections == 0
        let due = state.withLock { state -> DispatchTime? in
            guard rests else {
                state.restsSince = nil
                return nil
            }
            guard state.restsSince == nil else { return nil }
            state.restsSince = .now()
            return state.schedule()
        }
        if let due { schedule(at: due) }
    }

    private func schedule(at time: DispatchTime) {
        queue.asyncAfter(deadline: time) { [weak self] in self?.release() }
    }

    private func release() {
        let (isDue, due) = state.withLock { state -> (Bool, DispatchTime?) in
            state.isScheduled = false
            guard let since = state.restsSince else { return (false, nil) }
            // The idle time may have started again since this was scheduled.
            if since + Self.delay > .now() { return (false, state.schedule()) }
            return (true, nil)
        }
        if isDue { CLinux_release_memory() }
        if let due { schedule(at: due) }
    }
}
