import JobCore
import Logging
import Synchronization

/// Passes on what all detectors of a pool say on standard error, within one allowance.
final class ChildVoices: Sendable {
    private let logger: Logger
    private let allowance = Mutex(SpeechAllowance(now: .zero))
    private let start = ContinuousClock.now

    init(logger: Logger) { self.logger = logger }

    /// Logs a line, or counts it among those that are left out.
    func pass(on line: String) {
        let now = ContinuousClock.now - start
        guard let omitted = allowance.withLock({ $0.ask(now: now) }) else { return }
        if omitted > 0 { logger.notice("\(omitted) more lines from face detectors were left out here") }
        logger.notice("a face detector says: \(line)")
    }
}
