import JobCore
import Testing

struct FairTurnsTests {
    @Test("One of many users has all places but one, and whoever was served goes behind the others")
    func order() {
        var turns = FairTurns<String>(width: 3)
        var order: [[Int]] = []
        for ticket in 1...4 { order.append(turns.enter(ticket, of: "ann")) }
        order.append(turns.enter(5, of: "ben"))
        order.append(turns.enter(6, of: "ben"))
        order.append(turns.enter(7, of: "eve"))
        #expect(order == [[1], [2], [], [], [5], [], []])
        #expect(turns.waiting == 4)
        order = ["ann", "ben", "ben", "ann", "eve"].map { turns.leave($0) }
        #expect(order == [[3], [6], [7], [4], []])
        #expect(turns.waiting == 0)
    }

    @Test("One place is enough for turns, and what is given up takes none")
    func onePlace() {
        var turns = FairTurns<Int>(width: 0)
        let first = turns.enter(1, of: 1)
        for ticket in 2...4 { _ = turns.enter(ticket, of: 1) }
        _ = turns.enter(5, of: 2)
        let isGivenUp = [turns.giveUp(2, of: 1), turns.giveUp(2, of: 1), turns.giveUp(1, of: 1)]
        #expect(first == [1] && isGivenUp == [true, false, false])
        let rest = [1, 1, 2, 1].map { turns.leave($0) }
        #expect(rest == [[3], [5], [4], []])
    }
}
