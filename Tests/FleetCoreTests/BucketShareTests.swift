import FleetCore
import Testing

@Suite("Shares of buckets")
struct BucketShareTests {
    @Test(
        "A node takes what is free up to its share, and gives what is clearly too much",
        arguments: [
            (1, 0, 1024, BucketShare.Change.take(1024)), (2, 0, 1024, .take(512)), (2, 512, 512, .none),
            (3, 0, 10, .take(10)), (3, 340, 400, .take(2)), (3, 342, 400, .none), (2, 1024, 0, .drain(512)),
            (2, 520, 0, .none), (2, 521, 0, .drain(9)), (0, 0, 5, .take(5)), (2000, 0, 1024, .take(1)),
            (4, 0, 0, .none),
        ]
    )
    func change(nodes: Int, mine: Int, free: Int, change: BucketShare.Change) {
        #expect(BucketShare.change(nodes: nodes, mine: mine, free: free) == change)
    }

    @Test(
        "However nodes come and go, all buckets are owned in the end, and nothing goes back and forth",
        arguments: 1...20
    )
    func settles(nodes: Int) {
        var owned = Array(repeating: 0, count: nodes)
        owned[0] = BucketShare.buckets
        var free = 0
        for _ in 0..<4 {
            for node in owned.indices {
                switch BucketShare.change(nodes: nodes, mine: owned[node], free: free) {
                case .none: break
                case .take(let count): (owned[node], free) = (owned[node] + count, free - count)
                case .drain(let count): (owned[node], free) = (owned[node] - count, free + count)
                }
            }
        }
        #expect(free == 0 && owned.reduce(0, +) == BucketShare.buckets)
        for mine in owned { #expect(BucketShare.change(nodes: nodes, mine: mine, free: 0) == .none) }
    }

    @Test("Whenever a node comes, it gets about as much as the others, and then nothing moves any more")
    func joins() {
        var owned: [Int] = []
        for count in 1...130 {
            owned.append(0)
            var free = BucketShare.buckets - owned.reduce(0, +)
            // What is to be given away is busy for a while, and nobody's only then.
            var (leaving, rounds, hasMoved) = ([free], 0, true)
            free = 0
            while hasMoved || !leaving.isEmpty, rounds < 100 {
                (rounds, hasMoved) = (rounds + 1, false)
                if rounds.isMultiple(of: 3) { (free, leaving) = (free + leaving.reduce(0, +), []) }
                for node in owned.indices {
                    let least = owned.min() ?? 0
                    switch BucketShare.change(nodes: count, mine: owned[node], free: free, least: least) {
                    case .none: continue
                    case .take(let taken): (owned[node], free) = (owned[node] + taken, free - taken)
                    case .drain(let given):
                        owned[node] -= given
                        leaving.append(given)
                    }
                    hasMoved = true
                }
            }
            let share = BucketShare.buckets / count
            let allowed = (share - min(8, share / 2))...(share + 9)
            #expect(free == 0 && owned.allSatisfy(allowed.contains), "\(count) nodes: \(owned)")
            #expect(rounds < 20, "\(count) nodes: \(rounds) rounds")
        }
    }
}
