import JobCore
import JobModel
import Vocabulary

/// Begins nothing while the directories of partials and documents are not where people are told that they are, or
/// nothing can be written to them.
struct StorageWork {
    /// A report of something that could not be written, while it isn't known whether anything can be.
    enum Undecided {
        case transfer(TransferReport, of: JobID)
        case storage(StorageReport, of: JobID)
    }

    private let bench: Workbench
    /// The reason for which nothing is begun; nil while all is well.
    private(set) var obstacle: String?
    /// The reason by the places of the directories alone.
    private var misplacement: String?
    /// The moment of the last look.
    private var lookedAt: Moment?
    private var trial = StorageTrial()
    /// True if nothing is known yet of what could not be written.
    private var isOpen = false
    /// True if something was refused for want of room that the disk says there is.
    private var lacksRoom = false
    /// The sentence about a try that takes long; nil while none does.
    private var slowness: String?
    private var undecided: [Undecided] = []
    /// The directory of partials that transfers were begun in, by how often it was another one before.
    private var partialsGeneration: Int

    /// The seconds between two looks at least; there are more only while there is something to do.
    private static let interval = 1.0

    init(bench: Workbench) {
        self.bench = bench
        partialsGeneration = bench.ports.documents.partialsGeneration
    }

    /// True if whatever is under way has to stop, and nothing may be begun.
    var isHeld: Bool { obstacle != nil }

    /// True if something may be begun: also not in the moment until it is known what a refusal says.
    var mayBegin: Bool { !isHeld && !isOpen }

    /// Looks in the next turn, because something could not be found.
    mutating func suspect() { lookedAt = nil }

    /// Looks whether everything is where it should be, unless that was done a moment ago, and has it tried whether
    /// anything can be written, if that is in doubt.
    mutating func look(now: Moment) {
        if !(lookedAt.map { (0..<Self.interval).contains(now.seconds(since: $0)) } ?? false) {
            lookedAt = now
            misplacement = bench.ports.documents.findAgain()
        }
        if misplacement == nil {
            if trial.begins(now: now) {
                bench.ports.documents.tryWriting(anew: false)
            } else if trial.renews(now: now) {
                bench.ports.documents.tryWriting(anew: true)
            }
        }
        settle(now: now)
    }

    /// Notes what came of a try to write.
    mutating func tried(_ refusal: String?, now: Moment) {
        trial.answered(refusal, now: now)
        if refusal == nil { lacksRoom = false }
        settle(now: now)
    }

    /// Notes that the document store was given work, of which there will be a report.
    mutating func gave(now: Moment) { trial.gave(now: now) }

    /// Notes that the document store has reported something.
    mutating func heard() { trial.heard() }

    private mutating func settle(now: Moment) {
        isOpen = misplacement == nil && trial.isOpen(now: now)
        slowness = trial.isSlow(now: now) ? bench.ports.documents.silence : nil
        obstacle = misplacement ?? (trial.isSilent(now: now) ? bench.ports.documents.silence : trial.refusal)
    }

    /// Returns whether the report of something that could not be written has to wait for ``takeDecided()``, because
    /// it isn't known yet whether it says anything about what it was.
    mutating func postpones(_ report: Undecided) -> Bool {
        if obstacle == nil {
            misplacement = bench.ports.documents.obstacle()
            obstacle = misplacement
        }
        guard obstacle == nil else { return false }
        trial.doubt()
        isOpen = true
        undecided.append(report)
        return true
    }

    /// Does the same for a report of something for which there was no room, although the disk says that there is: then a
    /// quota is used up, or there are no inodes, and whatever is fetched would be refused.
    mutating func postponesFull(_ report: Undecided) -> Bool {
        guard obstacle == nil, let free = bench.ports.documents.freeBytes(),
            free >= bench.configuration.diskReserve.saturatingAdd(2 * StorageTrial.room), postpones(report)
        else { return false }
        lacksRoom = true
        return true
    }

    /// Returns the reports that waited, once it is known what they say: nothing about what they were of if all is
    /// held.
    mutating func takeDecided() -> [Undecided] {
        guard !isOpen, !undecided.isEmpty else { return [] }
        defer { undecided = [] }
        return undecided
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
        misplacement = bench.ports.documents.obstacle()
        obstacle = misplacement
        return isHeld
    }

    /// Returns the moment at which to look again, if nothing else happens: a turn that begins work looks by itself.
    func looksAt(now: Moment) -> Moment? {
        let looksAgain = isHeld ? lookedAt?.adding(seconds: Self.interval) : nil
        // Where the directories aren't, nothing is tried.
        let tries = misplacement == nil ? trial.decidesAt(now: now) : nil
        return [looksAgain, tries].compactMap(\.self).min()
    }

    /// The obstacles to beginning work.
    var holds: [EngineHold] {
        if let obstacle {
            let reason = obstacle + "; until then nothing is downloaded or looked at"
            return [EngineHold(kind: lacksRoom && misplacement == nil ? .disk : .storage, reason: reason)]
        }
        // What is under way goes on.
        return slowness.map { [EngineHold(kind: .storage, reason: $0 + ", or is only slow")] } ?? []
    }
}
