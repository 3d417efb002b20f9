import JobCore
import ListerProtocol

/// Decides who may have something read now, and who waits.
///
/// What somebody waits for, such as trials of recipes, and what sources read by themselves go separate ways,
/// so that neither is ever behind the other. On each way, nobody has all places while others wait, and whoever
/// was served goes behind the rest: a user with a hundred trials delays another's by one place.
struct ListerTurns: Sendable {
    /// The number of someone who waits.
    typealias Ticket = Int

    private struct Lane: Sendable {
        let width: Int
        var isIn: [ListerAsker: Int] = [:]
        var line = FairLine<ListerAsker, Ticket>()

        var free: Int { width - isIn.values.reduce(0, +) }

        /// Returns whether one more may go in: one place is always left for somebody else, if there is more
        /// than one.
        func mayGo(_ asker: ListerAsker) -> Bool { isIn[asker, default: 0] < max(1, width - 1) }

        mutating func letIn() -> [Ticket] {
            var tickets: [Ticket] = []
            while free > 0, let (asker, ticket) = line.next(where: mayGo) {
                isIn[asker, default: 0] += 1
                tickets.append(ticket)
            }
            return tickets
        }
    }

    private var people: Lane
    private var sources: Lane

    /// Creates turns; on each way so many have something read at the same time.
    init(width: Int) {
        people = Lane(width: max(1, width))
        sources = Lane(width: max(1, width))
    }

    /// The number of those who wait.
    var waiting: Int { people.line.count + sources.line.count }

    /// Somebody wants something read.
    ///
    /// - Returns: those who may go now, which may be the one who came.
    mutating func enter(_ ticket: Ticket, _ asker: ListerAsker) -> [Ticket] {
        change(asker) { lane in
            lane.line.append(ticket, of: asker)
            return lane.letIn()
        }
    }

    /// Something was read.
    ///
    /// - Returns: those who may go now.
    mutating func leave(_ asker: ListerAsker) -> [Ticket] {
        change(asker) { lane in
            let left = lane.isIn[asker, default: 1] - 1
            lane.isIn[asker] = left > 0 ? left : nil
            return lane.letIn()
        }
    }

    /// Somebody doesn't wait any more.
    ///
    /// - Returns: whether that was so; false for one who has gone in.
    mutating func giveUp(_ ticket: Ticket, _ asker: ListerAsker) -> Bool {
        change(asker) { !$0.line.remove(of: asker) { $0 == ticket }.isEmpty }
    }

    private mutating func change<Result>(_ asker: ListerAsker, _ body: (inout Lane) -> Result) -> Result {
        asker.isPerson ? body(&people) : body(&sources)
    }
}
