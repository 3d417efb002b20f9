import Dispatch
import Glibc
import Synchronization

/// Handles the daemon's signals on a thread that nothing else waits for.
///
/// The shared thread pool may be busy with a disk that hangs, and signals must still get through.
final class Signals: Sendable {
    /// A request made by a signal.
    enum Request: Sendable {
        /// End the daemon (SIGTERM or SIGINT).
        case end
        /// Read the settings and open the event log again (SIGHUP).
        case reload
    }

    // Kept alive for their events.
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// Starts to catch the signals; after this returns, none is missed.
    init(handle: @escaping @Sendable (Request) -> Void) {
        let queue = DispatchQueue(label: "facefetch.signals")
        let registered = DispatchSemaphore(value: 0)
        let requests: [(Int32, Request)] = [(SIGTERM, .end), (SIGINT, .end), (SIGHUP, .reload)]
        sources.withLock { sources in
            for (number, request) in requests {
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { handle(request) }
                source.setRegistrationHandler { registered.signal() }
                source.resume()
                sources.append(source)
            }
        }
        for _ in requests { registered.wait() }
    }
}
