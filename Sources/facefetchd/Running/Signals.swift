import Dispatch
import Glibc
import Synchronization

/// The signals that steer the daemon, on a thread that nothing else waits for.
///
/// The shared pool of tasks may be busy with a disk that hangs; a signal must get through all the same.
final class Signals: Sendable {
    /// A request by signal.
    enum Request: Sendable {
        /// SIGTERM or SIGINT: to end.
        case end
        /// SIGHUP: to read the settings and open the event log again.
        case reload
    }

    // Kept for their events; nobody looks at them again.
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// Catches the signals; none is missed after the return.
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
