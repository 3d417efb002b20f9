import Vocabulary

/// Decides which report is sent when.
///
/// It has no side effects; time is in seconds of any steady clock. Reports go one at a time, in order; one that the
/// receiver doesn't take holds up the others, and nothing else.
struct ReportQueue: Hashable, Sendable {
    /// The most reports that are kept.
    static let maximumCount = 64
    /// The most bytes of them.
    static let maximumLength = 1 << 19
    /// The seconds from one try to the next, unless the receiver asks for more.
    static let pauses = 5.0...3600.0

    /// The next step.
    enum Step: Hashable, Sendable {
        /// Send the report of this name.
        case send(String)
        /// Wait for a report, but at most this many seconds; nil for no limit.
        case wait(seconds: Double?)
    }

    private struct Entry: Hashable {
        var name: String
        var length: Int
    }

    private var entries: [Entry] = []
    private var due = -Double.infinity
    private var failures = 0
    /// The latest failure, until a report is taken.
    private(set) var lastError: String?

    /// Creates a queue without reports.
    init() {}

    /// The names of the reports, in order.
    var names: [String] { entries.map(\.name) }

    /// Adds a report; returns whether there was room for it.
    ///
    /// Those that are there stay: the first fault may be the cause of the others.
    mutating func add(_ name: String, length: Int) -> Bool {
        let total = entries.reduce(length) { $0 + $1.length }
        guard entries.count < Self.maximumCount, total <= Self.maximumLength else { return false }
        entries.append(Entry(name: name, length: length))
        return true
    }

    /// Returns the next step.
    func next(now: Double) -> Step {
        guard let first = entries.first else { return .wait(seconds: nil) }
        return due > now ? .wait(seconds: due - now) : .send(first.name)
    }

    /// Drops a report that can't be read.
    mutating func lost(_ name: String) { entries.removeAll { $0.name == name } }

    /// Applies the meaning of the receiver's answer to a report.
    mutating func answered(_ name: String, _ verdict: ReceiverVerdict, now: Double) {
        switch verdict {
        case .taken(let pause):
            lost(name)
            (failures, lastError, due) = (0, nil, now + pause)
        case .refused(let reason):
            lost(name)
            (failures, lastError) = (0, reason)
        case .failed(let reason, let pause):
            lastError = reason
            failures += 1
            due = now + (pause ?? Self.pauses.doubled(times: failures - 1))
        }
    }

    /// Resumes at once, since somebody may have seen to what delayed it.
    mutating func goOn() { (failures, due) = (0, -.infinity) }

    /// Returns whether the receiver has to be waited for.
    func isWaiting(now: Double) -> Bool { !entries.isEmpty && due > now }
}
