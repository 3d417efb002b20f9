import JobEngine
import Logging
import Synchronization

/// Says in the log when downloads begin to wait, and when they go on: for the timetable, another connection, the
/// network, the proxy, a portal, a clock that is right, room for the store, or the documents directory.
final class HoldNotices: Sendable {
    private struct Told: Equatable {
        var reasons: [String] = []
        /// Those of the reasons that somebody has to see to.
        var troubles: [String] = []
        var rate: String?
    }

    private let told = Mutex(Told())
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Heeds a new status; it is called after each of the engine's turns, so it does little if nothing has
    /// changed.
    func show(_ status: EngineStatus) {
        let now = Told(
            reasons: status.holds.filter { Self.isTold($0) }.map {
                $0.reason + ($0.isOfLine ? "" : Self.words(until: $0.until?.wall.rfc3339))
            },
            troubles: status.holds.filter { Self.isTold($0) && $0.needsSomebody }.map(\.reason),
            rate: status.rateLimitUntil.flatMap { until in
                status.rateLimit.map { "\($0) bytes a second" + Self.words(until: until.wall.rfc3339) }
            }
        )
        let before = told.withLock { told in
            defer { told = now }
            return told
        }
        guard now != before else { return }
        for reason in now.reasons where !before.reasons.contains(reason) {
            logger.log(level: now.troubles.contains(reason) ? .error : .notice, "\(reason)")
        }
        guard now.reasons.isEmpty else { return }
        if let rate = now.rate, rate != before.rate {
            logger.notice("by transfer.timetable, downloads are limited to \(rate)")
        } else if !before.reasons.isEmpty || before.rate != nil {
            logger.notice("downloads go on")
        }
    }

    /// Returns whether a hold is announced: one that comes and goes with each document is not.
    private static func isTold(_ hold: EngineHold) -> Bool {
        switch hold.kind {
        case .hours, .metered, .storage, .network, .proxy, .portal, .clock: true
        case .disk: hold.isOfStore
        // Hosts that ask to wait do so again and again, and their holds are seen in the status.
        case .host, .room: false
        }
    }

    private static func words(until time: String?) -> String { time.map { " (until \($0))" } ?? "" }
}

extension EngineHold {
    /// True if it passes only once somebody does something.
    fileprivate var needsSomebody: Bool { kind == .disk || kind == .storage || kind == .clock }

    /// True if its end is that of the next look only, which nobody needs to hear of each time.
    fileprivate var isOfLine: Bool { kind == .network || kind == .proxy || kind == .portal }
}
