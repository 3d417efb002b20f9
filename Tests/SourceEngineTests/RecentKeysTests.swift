import JobModel
import Testing

@testable import SourceEngine

struct RecentKeysTests {
    private func keys(_ numbers: Range<UInt64>) -> Set<ItemHash> {
        Set(numbers.map { ItemHash(high: $0, low: 0) })
    }

    @Test("The keys of a walk are met once, and a new walk meets them again")
    func walks() {
        var recent = RecentKeys()
        func list(_ walk: Int, _ slice: String? = nil) -> RecentKeys.List { .init(walk: walk, slice: slice) }
        #expect(recent.unmet(keys(0..<3), in: list(1)) == 3)
        recent.insert(keys(0..<3), of: list(1))
        #expect(recent.unmet(keys(0..<5), in: list(1)) == 2)
        #expect(recent.unmet(keys(0..<5), in: list(2)) == 5)
        recent.insert(keys(3..<5), of: list(2))
        #expect(recent.unmet(keys(0..<5), in: list(2)) == 3)
        // A slice may have what another has.
        #expect(recent.unmet(keys(3..<5), in: list(2, "b")) == 2)
        recent.insert(keys(3..<5), of: list(2, "b"))
        #expect(recent.unmet(keys(3..<5), in: list(2, "b")) == 0)
    }

    @Test("As many as there is room for are never forgotten, and no more than twice as many kept")
    func room() {
        var recent = RecentKeys()
        let room = UInt64(RecentKeys.room)
        func list(_ walk: Int) -> RecentKeys.List { .init(walk: walk) }
        for first in stride(from: 0, to: 3 * room, by: 1000) {
            recent.insert(keys(first..<first + 1000), of: list(1))
        }
        #expect(recent.unmet(keys(2 * room..<3 * room), in: list(1)) == 0)
        #expect(recent.unmet(keys(0..<room), in: list(1)) == RecentKeys.room)
    }
}
