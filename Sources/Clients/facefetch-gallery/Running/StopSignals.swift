import Dispatch
import Glibc
import Synchronization

/// The signals that end a gallery in order.
final class StopSignals: Sendable {
    private let signals: AsyncStream<Void>
    // Kept for their events; nobody looks at them again.
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// Catches the signals; none is missed after the return.
    init() {
        let (signals, came) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        let queue = DispatchQueue(label: "facefetch.signals")
        let registered = DispatchSemaphore(value: 0)
        let numbers = [SIGINT, SIGTERM, SIGHUP]
        sources.withLock { sources in
            for number in numbers {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { came.yield() }
                source.setRegistrationHandler { registered.signal() }
                source.resume()
                sources.append(source)
            }
        }
        for _ in numbers { registered.wait() }
    }

    /// Returns when one has come.
    func wait() async {
        for await _ in signals { return }
    }
}
