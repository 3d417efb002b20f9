import FleetCore
import Testing

@Suite("Where a node begins to look for jobs")
struct QueueHeadsTests {
    private typealias Place = QueueHeads.Place
    private var heads: QueueHeads = {
        var heads = QueueHeads()
        let count = heads.found([
            .init(bucket: 1, epoch: 3, turn: 0, job: 100), .init(bucket: 1, epoch: 3, turn: -8, job: 70),
            .init(bucket: 2, epoch: 1),
        ])
        #expect(count == 2)
        return heads
    }()

    /// The places of a bucket, by turns.
    private func places(_ bucket: Int, of heads: QueueHeads) -> [Int: Int64?] {
        let places = heads.places.filter { $0.bucket == bucket }
        return Dictionary(uniqueKeysWithValues: places.map { ($0.turn ?? .min, $0.job) })
    }

    @Test(
        "A claim looks into buckets in which something waits, from the first job of each turn on, lower turns first"
    )
    func reaches() {
        var heads = heads
        let reach = heads.reach(perBucket: 5, less: [:])
        #expect(
            reach.buckets.map(\.bucket) == [1] && reach.buckets[0].epoch == 3 && reach.buckets[0].room == 5
        )
        #expect(reach.buckets[0].heads == [.init(turn: -8, job: 70), .init(turn: 0, job: 100)])
        #expect(heads.reach(perBucket: 5, less: [1: 2]).buckets.map(\.room) == [3])
        #expect(heads.reach(perBucket: 5, less: [1: 5]).buckets.isEmpty)
        var nothing = QueueHeads()
        #expect(nothing.reach(perBucket: 5, less: [:]).buckets.isEmpty)
    }

    @Test(
        "Within a priority, new batches and long ones go first by turns; a higher priority is always before"
    )
    func alternates() {
        var heads = QueueHeads()
        heads.found([-8, -6, 0, 1, 4].map { .init(bucket: 1, epoch: 1, turn: $0, job: 9) })
        var orders: [[Int]] = []
        for _ in 0..<3 { orders.append(heads.reach(perBucket: 2, less: [:]).buckets[0].heads.map(\.turn)) }
        #expect(orders == [[-8, -6, 0, 1, 4], [-6, -8, 4, 1, 0], [-8, -6, 0, 1, 4]])
    }

    @Test("Of a bucket without room, the first jobs of new batches are taken where that is wanted")
    func takesNew() {
        var heads = QueueHeads()
        heads.found([-8, -6, 0, 4].map { .init(bucket: 1, epoch: 1, turn: $0, job: 9) })
        heads.found([.init(bucket: 2, epoch: 1, turn: 3, job: 9)])
        let reach = heads.reach(perBucket: 2, less: [1: 2, 2: 2], new: [1, 2])
        #expect(reach.buckets.map(\.bucket) == [1] && reach.buckets[0].room == QueueHeads.mostNew)
        #expect(reach.buckets[0].heads.map(\.turn) == [-8, 0])
        #expect(heads.reach(perBucket: 2, less: [1: 2, 2: 2], new: [2]).buckets.isEmpty)
    }

    @Test("What is queued, or given back, lowers the places, and makes new ones; it never raises one")
    func lowers() {
        var heads = heads
        heads.heard(QueueNews(job: 90, turns: [0, 8]))
        #expect(places(1, of: heads) == [0: 90, -8: 70, 8: 90] && places(2, of: heads) == [0: 90, 8: 90])
        heads.heard(QueueNews(job: 200, turns: [0]))
        #expect(places(1, of: heads) == [0: 90, -8: 70, 8: 90])
        heads.lower(bucket: 2, turn: 0, to: 4)
        #expect(places(2, of: heads) == [0: 4, 8: 90])
        // Of a bucket of which nothing is known, the next look knows it.
        heads.lower(bucket: 7, turn: 0, to: 4)
        #expect(places(7, of: heads).isEmpty)
    }

    @Test("A look says where jobs begin now; where it tells of nothing, nothing is known any more")
    func looks() {
        var heads = heads
        heads.looked([.init(bucket: 2, epoch: 1, turn: 0, job: 5), .init(bucket: 1, epoch: 3, turn: 0)])
        #expect(places(1, of: heads) == [Int.min: nil] && places(2, of: heads) == [0: 5])
        #expect(heads.waiting == [2] && heads.epochs.count == BucketShare.buckets)
        #expect(Array(heads.epochs.prefix(4)) == [-1, 3, 1, -1])
        heads.looked([])
        #expect(heads.places.isEmpty)
    }

    @Test("Of a bucket that has come back nothing is known but what is found then")
    func comesBack() {
        var heads = heads
        let count = heads.found([
            .init(bucket: 1, epoch: 5, turn: 0, job: 3), .init(bucket: 1, epoch: 5, turn: 1, job: 9),
        ])
        #expect(count == 1 && places(1, of: heads) == [0: 3, 1: 9] && heads.epochs[1] == 5)
    }

    @Test("Each bucket is forgotten in turn")
    func forgets() {
        var heads = heads
        for _ in 0...1 { heads.forgetOne() }
        #expect(heads.places == [Place(bucket: 2, epoch: 1)])
        for _ in 2..<BucketShare.buckets { heads.forgetOne() }
        #expect(heads.places.isEmpty && heads.found([.init(bucket: 0, epoch: 1)]) == 1)
        heads.forgetOne()
        #expect(heads.places.isEmpty)
    }

    @Test("News are a job and turns; other announcements tell of no jobs")
    func news() {
        #expect(QueueNews("17 0 -8 800") == QueueNews(job: 17, turns: [0, -8, 800]))
        for text in ["", "17", "x 0", "hello there"] { #expect(QueueNews(text) == nil, "\(text)") }
    }
}
