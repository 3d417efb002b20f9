import FleetCore
import Testing

@Suite("The share of jobs that wait")
struct WaitingShareTests {
    /// So many jobs of each bucket, of which the later ones were claimed first.
    private func share(_ counts: [Int: Int], slice: Int = 1000) -> WaitingShare {
        var waiting: [FleetJob: Int] = [:]
        for (bucket, count) in counts {
            for number in 0..<count {
                let job = FleetJob(
                    fleet: "f",
                    job: Int64(bucket * 100_000 + number),
                    token: Int64(count - number)
                )
                waiting[job] = bucket
            }
        }
        return WaitingShare(waiting, slice: slice)
    }

    /// The numbers of jobs of each bucket that go back.
    private func surplus(_ share: WaitingShare) -> [Int: Int] {
        Dictionary(grouping: share.surplus) { Int($0.job / 100_000) }.mapValues(\.count)
    }

    @Test("A bucket has at most a slice of them, and whatever was claimed last goes back")
    func one() {
        #expect(share([:]) == WaitingShare(slice: 1000) && share([:]).full.isEmpty)
        #expect(share([7: 999]).full.isEmpty && share([7: 1000]).full == [7])
        #expect(share([7: 1000]).surplus.isEmpty)
        let share = share([7: 1003, 8: 1])
        #expect(share.full == [7] && Set(share.surplus.map { $0.job % 100_000 }) == [0, 1, 2])
    }

    @Test("Many buckets share what a node may have waiting, which is ten slices")
    func many() {
        let counts = Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, $0 == 0 ? 20 : 400) })
        let share = share(counts)
        #expect(share.full == Set(1..<40))
        #expect(surplus(share) == Dictionary(uniqueKeysWithValues: (1..<40).map { ($0, 150) }))
        #expect(self.share([1: 2, 2: 1], slice: 1).full == [1, 2])
        #expect(surplus(self.share([1: 2, 2: 1], slice: 1)) == [1: 1])
    }

    @Test(
        "Of a bucket that has its share nothing is claimed, but a few now and then, which may be of another host"
    )
    func claims() {
        let share = share([7: 1000, 8: 1])
        #expect(share.lessened([7: 2, 9: 1], perBucket: 4, tries: false) == [7: 4, 9: 1])
        #expect(share.lessened([7: 4], perBucket: 4, tries: true) == [7: 0])
        #expect(share.lessened([:], perBucket: 50, tries: true) == [7: 40])
    }
}
