import JobEngine
import JobModel
import Synchronization
import Vocabulary

/// The text of the status line while the daemon works, such as
/// `12 downloading, 340 queued, 2 detecting`.
final class StatusText: Sendable {
    private static let words: [(JobState, String)] = [
        (.downloading, "downloading"), (.queued, "queued"), (.waiting, "waiting to be tried again"),
        (.stored, "to be looked at"), (.detecting, "detecting"), (.paused, "paused"),
    ]

    private let line: StatusLine
    private let shown = Mutex<Shown>(Shown())

    private struct Shown: Equatable {
        var counts: [Int] = []
        var hold: String?
    }

    init(line: StatusLine) { self.line = line }

    /// Shows a new status; it is called after each of the engine's turns, so it does little if nothing
    /// has changed.
    func show(_ status: EngineStatus) {
        let now = Shown(
            counts: Self.words.map { status.jobsByState[$0.0] ?? 0 },
            hold: status.holds.first.map { hold in
                hold.reason + (hold.until.map { " (until \($0.wall.rfc3339))" } ?? "")
            }
        )
        let isNew = shown.withLock { shown in
            defer { shown = now }
            return shown != now
        }
        if isNew { line.show(Self.text(now)) }
    }

    private static func text(_ shown: Shown) -> String {
        let parts = zip(shown.counts, words).filter { $0.0 > 0 }.map { "\($0.0) \($0.1.1)" }
        let counts = parts.isEmpty ? "idle" : parts.joined(separator: ", ")
        return shown.hold.map { "waiting: \($0); \(counts)" } ?? counts
    }
}
