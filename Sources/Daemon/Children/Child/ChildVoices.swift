import Logging
import Synchronization
import Vocabulary

/// Passes on what all children of a kind say on standard error, within one allowance.
final class ChildVoices: Sendable {
    private let logger: Logger
    private let kind: String
    private let kinds: String
    private let allowance = Mutex(SpeechAllowance(now: .zero))
    private let start = ContinuousClock.now

    /// Voices of children that people know by a noun, such as `face detector`, and by its plural.
    init(of kind: String, _ kinds: String, logger: Logger) {
        (self.kind, self.kinds, self.logger) = (kind, kinds, logger)
    }

    /// Logs a line, or counts it among those that are left out.
    func pass(on line: String) {
        let now = ContinuousClock.now - start
        guard let omitted = allowance.withLock({ $0.ask(now: now) }) else { return }
        if omitted > 0 { logger.notice("\(omitted) more lines of \(kinds) were left out here") }
        logger.notice("a \(kind) says: \(line)")
    }
}
