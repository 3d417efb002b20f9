import SourceCore
import Testing

@testable import Children

/// Tests of who may have something read, as a table: comings and goings, and who may go then.
@Suite("Turns at readers") struct ListerTurnsTests {
    /// An event.
    enum Step: Sendable {
        /// Somebody comes, under the next number from 1.
        case comes(ListerAsker)
        /// Somebody has had something read.
        case goes(ListerAsker)
        /// Somebody doesn't wait any more.
        case givesUp(Int, ListerAsker)
    }

    private static let ann = ListerAsker.user(1)
    private static let ben = ListerAsker.user(2)
    private static let eve = ListerAsker.user(3)
    private static let list = ListerAsker.source(1)
    private static let feed = ListerAsker.source(2)

    /// The numbers of those who may go after each step.
    private static func goers(_ steps: [Step], width: Int = 2) -> [[Int]] {
        var turns = ListerTurns(width: width)
        var last = 0
        return steps.map { step in
            switch step {
            case .comes(let asker):
                last += 1
                return turns.enter(last, asker)
            case .goes(let asker): return turns.leave(asker)
            case .givesUp(let ticket, let asker): return turns.giveUp(ticket, asker) ? [-ticket] : []
            }
        }
    }

    static let table: [(steps: [Step], goers: [[Int]])] = [
        // Nobody has all places: the second of one user waits, and another user doesn't.
        ([.comes(ann), .comes(ann), .comes(ben), .goes(ann)], [[1], [], [3], [2]]),
        // Whoever was served goes behind those who were not, however many came before.
        (
            [
                .comes(ann), .comes(ann), .comes(ann), .comes(ben), .comes(ben), .comes(eve), .goes(ben),
                .goes(ann), .goes(ben),
            ],
            [[1], [], [], [4], [], [], [5], [2], [6]]
        ),
        // Sources are not behind people, nor people behind sources.
        (
            [
                .comes(ann), .comes(ben), .comes(eve), .comes(list), .comes(feed), .comes(.folder),
                .goes(list),
            ],
            [[1], [2], [], [4], [5], [], [6]]
        ),
        ([.comes(list), .comes(feed), .comes(.daemon), .comes(ann)], [[1], [2], [], [4]]),
        // Those who have gone away take no turn.
        (
            [.comes(ann), .comes(ann), .comes(ann), .givesUp(2, ann), .goes(ann), .givesUp(3, ann)],
            [[1], [], [], [-2], [3], []]
        ),
        ([.comes(ann), .comes(ann), .givesUp(2, ann), .comes(ben), .goes(ann)], [[1], [], [-2], [3], []]),
    ]

    @Test("Those who wait go in turns", arguments: table)
    func turns(steps: [Step], goers: [[Int]]) { #expect(Self.goers(steps) == goers) }

    @Test("With one place there are turns as well")
    func onePlace() {
        let steps: [Step] = [
            .comes(Self.ann), .comes(Self.ann), .comes(Self.ben), .comes(Self.list), .goes(Self.ann),
            .goes(Self.ann),
        ]
        #expect(Self.goers(steps, width: 1) == [[1], [], [], [4], [2], [3]])
    }

    @Test("A hundred of one user delay another's by none")
    func hundred() {
        var turns = ListerTurns(width: 2)
        for ticket in 1...100 { _ = turns.enter(ticket, Self.ann) }
        #expect(turns.waiting == 99)
        let goers = turns.enter(101, Self.ben)
        #expect(goers == [101])
        for ticket in 2...100 {
            let isGivenUp = turns.giveUp(ticket, Self.ann)
            #expect(isGivenUp)
        }
        #expect(turns.waiting == 0)
    }
}
