import JobCore
import SourceCore

/// Decides who may have something read now, and who waits.
///
/// What somebody waits for, such as trials of recipes, and what sources read by themselves go separate ways,
/// so that neither is ever behind the other. On each way, they take turns (``FairTurns``).
struct ListerTurns: Sendable {
    /// The number of someone who waits.
    typealias Ticket = Int

    private var people: FairTurns<ListerAsker>
    private var sources: FairTurns<ListerAsker>

    /// Creates turns; on each way so many have something read at the same time.
    init(width: Int) {
        people = FairTurns(width: width)
        sources = FairTurns(width: width)
    }

    /// The number of those who wait.
    var waiting: Int { people.waiting + sources.waiting }

    /// Somebody wants something read.
    ///
    /// - Returns: those who may go now, which may be the one who came.
    mutating func enter(_ ticket: Ticket, _ asker: ListerAsker) -> [Ticket] {
        change(asker) { $0.enter(ticket, of: asker) }
    }

    /// Something was read.
    ///
    /// - Returns: those who may go now.
    mutating func leave(_ asker: ListerAsker) -> [Ticket] {
        change(asker) { $0.leave(asker) }
    }

    /// Somebody doesn't wait any more.
    ///
    /// - Returns: whether that was so; false for one who has gone in.
    mutating func giveUp(_ ticket: Ticket, _ asker: ListerAsker) -> Bool {
        change(asker) { $0.giveUp(ticket, of: asker) }
    }

    private mutating func change<Result>(
        _ asker: ListerAsker,
        _ body: (inout FairTurns<ListerAsker>) -> Result
    ) -> Result {
        asker.isPerson ? body(&people) : body(&sources)
    }
}
