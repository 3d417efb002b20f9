import JobCore
import JobEngine
import Synchronization
import SystemdSupport

/// What the status line says while the daemon works: `12 downloading, 340 queued, 2 detecting`.
final class StatusText: Sendable {
    private static let words: [(JobState, String)] = [
        (.downloading, "downloading"), (.queued, "queued"), (.waiting, "waiting to be tried again"),
        (.stored, "to be looked at"), (.detecting, "detecting"), (.paused, "paused"),
    ]

    private let line: StatusLine
    private let counts = Mutex<[Int]>([])

    init(line: StatusLine) { self.line = line }

    /// Called after each of the engine's turns, so it does little where nothing changed.
    func show(_ status: EngineStatus) {
        let now = Self.words.map { status.jobsByState[$0.0] ?? 0 }
        let isNew = counts.withLock { counts in
            defer { counts = now }
            return counts != now
        }
        if isNew { line.show(Self.text(now)) }
    }

    private static func text(_ counts: [Int]) -> String {
        let parts = zip(counts, words).filter { $0.0 > 0 }.map { "\($0.0) \($0.1.1)" }
        return parts.isEmpty ? "idle" : parts.joined(separator: ", ")
    }
}
