import JobCore

/// Begins nothing while the directories of partials and documents are not where people are told that they are.
struct StorageWork {
    private let bench: Workbench
    /// Why nothing is begun; nil while all is well.
    private(set) var obstacle: String?
    /// When somebody looked last.
    private var lookedAt: Moment?

    /// The seconds between two looks at least; there are more only while there is something to do.
    private static let interval = 1.0

    init(bench: Workbench) { self.bench = bench }

    /// Whether nothing may be begun.
    var isHeld: Bool { obstacle != nil }

    /// Looks in the next turn, because something could not be found.
    mutating func suspect() { lookedAt = nil }

    /// Looks whether everything is where it should be, unless that was done a moment ago.
    mutating func look(now: Moment) {
        if let lookedAt, (0..<Self.interval).contains(now.seconds(since: lookedAt)) { return }
        lookedAt = now
        obstacle = bench.ports.documents.findAgain()
    }

    /// Looks at once, because a document could not be found; returns whether that says nothing about it.
    mutating func isLost() -> Bool {
        guard obstacle == nil else { return true }
        obstacle = bench.ports.documents.obstacle()
        return isHeld
    }

    /// When to look again, if nothing else happens: what is begun otherwise is begun in a turn that looks.
    var looksAt: Moment? { isHeld ? lookedAt?.adding(seconds: Self.interval) : nil }

    /// What keeps work from being begun.
    var holds: [EngineHold] {
        obstacle.map {
            [EngineHold(kind: .storage, reason: $0 + "; until then nothing is downloaded or looked at")]
        }
            ?? []
    }
}
