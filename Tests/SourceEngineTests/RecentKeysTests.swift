import JobCore
import Testing

@testable import SourceEngine

struct RecentKeysTests {
    private func keys(_ numbers: Range<UInt64>) -> Set<ItemHash> {
        Set(numbers.map { ItemHash(high: $0, low: 0) })
    }

    @Test("The keys of a walk are met once, and a new walk meets them again")
    func walks() {
        var recent = RecentKeys()
        #expect(recent.unmet(keys(0..<3), in: 1) == 3)
        recent.insert(keys(0..<3), of: 1)
        #expect(recent.unmet(keys(0..<5), in: 1) == 2)
        #expect(recent.unmet(keys(0..<5), in: 2) == 5)
        recent.insert(keys(3..<5), of: 2)
        #expect(recent.unmet(keys(0..<5), in: 2) == 3)
    }

    @Test("As many as there is room for are never forgotten, and no more than twice as many kept")
    func room() {
        var recent = RecentKeys()
        let room = UInt64(RecentKeys.room)
        for first in stride(from: 0, to: 3 * room, by: 1000) {
            recent.insert(keys(first..<first + 1000), of: 1)
        }
        #expect(recent.unmet(keys(2 * room..<3 * room), in: 1) == 0)
        #expect(recent.unmet(keys(0..<room), in: 1) == RecentKeys.room)
    }
}
