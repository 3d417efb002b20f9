import JobModel
import Testing
import Vocabulary

@testable import Children

/// Tests of whose picture is made next.
struct PictureTurnsTests {
    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    @Test("A thumbnail waits for one of another user's large pictures, and each one's own keep their order")
    func order() {
        var turns = PictureTurns<Int64>(most: 500)
        for number in Int64(1)...4 { _ = turns.add(number, id: number, job: job(number), .large, of: 1) }
        for number in Int64(11)...12 { _ = turns.add(number, id: number, job: job(number), .thumb, of: 2) }
        _ = turns.add(21, id: 21, job: job(21), nil, of: nil)
        var order: [Int64] = []
        while let next = turns.next([job(12): .visible]) { order.append(next) }
        #expect(order == [1, 12, 21, 2, 11, 3, 4])
        #expect(turns.isEmpty)
    }

    @Test("What is given up takes no turn, and only so many of one user wait")
    func givenUp() {
        var turns = PictureTurns<Int64>(most: 2)
        for number in Int64(1)...2 { _ = turns.add(number, id: number, job: job(number), .thumb, of: 1) }
        let refused = turns.add(3, id: 3, job: job(3), .thumb, of: 1)
        let other = turns.add(4, id: 4, job: job(4), .thumb, of: 2)
        #expect(refused == 1 && other == nil)
        let removed = [turns.remove(4), turns.remove(4), turns.remove(2)]
        #expect(removed == [4, nil, 2])
        #expect(!turns.isEmpty && turns.removeAll() == [3] && turns.isEmpty)
    }
}
