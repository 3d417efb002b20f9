import JobCore

/// Begins nothing while the directories of partials and documents are not where people are told that they are.
struct StorageWork {
    private let bench: Workbench
    /// The reason for which nothing is begun; nil while all is well.
    private(set) var obstacle: String?
    /// The moment of the last look.
    private var lookedAt: Moment?
    /// True if something could not be written, so that looking where the directories are isn't enough.
    private var isWritingSuspect = false
    /// The directory of partials that transfers were begun in, by how often it was another one before.
    private var partialsGeneration: Int

    /// The seconds between two looks at least; there are more only while there is something to do.
    private static let interval = 1.0

    init(bench: Workbench) {
        self.bench = bench
        partialsGeneration = bench.ports.documents.partialsGeneration
    }

    /// True if nothing may be begun.
    var isHeld: Bool { obstacle != nil }

    /// Looks in the next turn, because something could not be found.
    mutating func suspect() { lookedAt = nil }

    /// Looks whether everything is where it should be, unless that was done a moment ago.
    mutating func look(now: Moment) {
        if let lookedAt, (0..<Self.interval).contains(now.seconds(since: lookedAt)) { return }
        lookedAt = now
        obstacle = bench.ports.documents.findAgain()
        guard isWritingSuspect, obstacle == nil else { return }
        obstacle = bench.ports.documents.refusal()
        isWritingSuspect = isHeld
    }

    /// Looks at once whether anything can be written, because something could not be; returns whether that says
    /// nothing about what it was.
    mutating func refusesWriting() -> Bool {
        guard obstacle == nil else { return true }
        obstacle = bench.ports.documents.obstacle() ?? bench.ports.documents.refusal()
        isWritingSuspect = isHeld
        return isHeld
    }

    /// Returns, once each time, whether the directory of partials is another one than before, so that what is
    /// being transferred goes to one that nobody is told of.
    mutating func takeReplacement() -> Bool {
        let present = bench.ports.documents.partialsGeneration
        defer { partialsGeneration = present }
        return present != partialsGeneration
    }

    /// Looks at once, because a document could not be found; returns whether that says nothing about it.
    mutating func isLost() -> Bool {
        guard obstacle == nil else { return true }
        obstacle = bench.ports.documents.obstacle()
        return isHeld
    }

    /// The moment at which to look again, if nothing else happens: a turn that begins work looks by itself.
    var looksAt: Moment? { isHeld ? lookedAt?.adding(seconds: Self.interval) : nil }

    /// The obstacles to beginning work.
    var holds: [EngineHold] {
        obstacle.map {
            [EngineHold(kind: .storage, reason: $0 + "; until then nothing is downloaded or looked at")]
        }
            ?? []
    }
}
