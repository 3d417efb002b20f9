import CLinux
import Dispatch
import JobEngine
import Synchronization

/// Gives back, once there has been nothing to do for a while, the memory that start and work took
/// and that rest doesn't take.
final class RestingMemory: Sendable {
    private struct State {
        /// Since when nothing is transferred or looked at; nil while something is.
        var restsSince: DispatchTime?
        var isScheduled = false

        /// When to look, unless that is settled already.
        mutating func schedule() -> DispatchTime? {
            guard let restsSince, !isScheduled else { return nil }
            isScheduled = true
            return restsSince + RestingMemory.delay
        }
    }

    /// Bytes of freed memory that are kept while there is something to do: what the buffers of some
    /// dozens of transfers take (``CurlTransferConfiguration/receiveBufferSize``), twice.
    static let kept = 64 << 20

    /// Longer than the pauses between the files of a batch.
    private static let delay = DispatchTimeInterval.seconds(10)

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "facefetch.resting-memory")

    /// Called after each of the engine's turns, so it does little where nothing changed.
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
            // It may have begun anew since this was scheduled.
            if since + Self.delay > .now() { return (false, state.schedule()) }
            return (true, nil)
        }
        if isDue { CLinux_release_memory() }
        if let due { schedule(at: due) }
    }
}
