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

    @Test(
        "Who idles takes what is free, and who has work beside it gives of that, until the last ones are gone"
    )
    func helps() {
        func help(_ mine: Int, free: Int = 0, nodes: Int = 2, _ work: BucketShare.Work) -> BucketShare.Help {
            BucketShare.help(nodes: nodes, mine: mine, free: free, work)
        }
        // All have work, or none has any.
        #expect(help(512, .init(isIdle: true, idle: 1)) == .even)
        #expect(help(512, .init(isIdle: false, waiting: 400)) == .even)
        #expect(help(768, .init(isIdle: false, waiting: 400)) == .none)
        #expect(help(100, free: 9, nodes: 1, .init(isIdle: false)) == .even)
        // One idles.
        #expect(
            help(512, .init(isIdle: true)) == .none && help(768, free: 5, .init(isIdle: true)) == .take(5)
        )
        #expect(help(300, free: 5, nodes: 4, .init(isIdle: true, idle: 1)) == .take(3))
        #expect(help(512, .init(isIdle: false, idle: 1, waiting: 400)) == .drain(200))
        #expect(help(512, .init(isIdle: false, idle: 1, waiting: 400, draining: 1)) == .none)
        #expect(help(20, nodes: 50, .init(isIdle: false, idle: 1, waiting: 20)) == .drain(1))
        // Who has just come gets its share first, of all that there is.
        #expect(help(1024, .init(isIdle: false, idle: 1, waiting: 40)) == .even)
        // A host's bucket isn't divided: it stays.
        #expect(help(512, .init(isIdle: false, idle: 1, waiting: 1)) == .even)
    }

    /// The seconds that two nodes take for so many jobs in each of a thousand buckets, renewing their leases every
    /// five; each ends so many jobs a second.
    private func seconds(rates: [Double], jobs: Double) -> Int {
        var left = Array(repeating: jobs, count: BucketShare.buckets)
        var owner = left.indices.map { $0 % 2 }
        var given: [(bucket: Int, at: Int)] = []
        for second in 1...10_000 {
            for node in 0...1 {
                var rate = rates[node]
                for bucket in left.indices where owner[bucket] == node && rate > 0 {
                    let done = min(rate, left[bucket])
                    (left[bucket], rate) = (left[bucket] - done, rate - done)
                }
            }
            if left.allSatisfy({ $0 == 0 }) { return second }
            for (bucket, at) in given where at == second { owner[bucket] = -1 }
            given.removeAll { $0.at <= second }
            guard second.isMultiple(of: 5) else { continue }
            let waiting = (0...1).map { node in left.indices.filter { owner[$0] == node && left[$0] > 0 } }
            for node in 0...1 {
                let work = BucketShare.Work(
                    isIdle: waiting[node].isEmpty,
                    idle: waiting[1 - node].isEmpty ? 1 : 0,
                    waiting: waiting[node].count,
                    draining: given.filter { owner[$0.bucket] == node }.count
                )
                let free = owner.indices.filter { owner[$0] == -1 }
                let mine = owner.count { $0 == node }
                switch BucketShare.help(nodes: 2, mine: mine, free: free.count, work) {
                case .even, .none: break
                case .take(let count): for bucket in free.prefix(count) { owner[bucket] = node }
                case .drain(let count): given += waiting[node].prefix(count).map { ($0, second + 6) }
                }
            }
        }
        return .max
    }

    @Test("A machine that is ten times as fast doesn't idle until a slow one has done its half")
    func fastAndSlow() {
        // Evenly, twelve seconds and a hundred and two.
        let time = seconds(rates: [427, 50], jobs: 10)
        #expect(time < 60, "\(time) s")
        #expect(seconds(rates: [50, 50], jobs: 10) <= 115)
    }
}
