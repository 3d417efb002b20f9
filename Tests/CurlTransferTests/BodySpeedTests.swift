import Testing

@testable import CurlTransfer

@Suite("The speed of a body that comes in one stream")
struct BodySpeedTests {
    private static let total: Int64 = 20_000_000

    /// Returns whether a body of 20 MB is slow at the last of several looks, which find so many bytes, 500 ms apart.
    private func isSlow(_ counts: Int64...) -> Bool {
        var speed = BodySpeed(count: 0, answerTime: 150, now: 1000)
        return counts.enumerated().map { index, count in
            speed.isSlow(at: count, of: Self.total, now: 1500 + 500 * Int64(index))
        }.last ?? false
    }

    @Test("is slow where the rest would take more than five seconds")
    func rest() {
        #expect(isSlow(500_000, 1_000_000))
        #expect(isSlow(1_650_000, 3_300_000))
        #expect(!isSlow(1_680_000, 3_360_000))
        #expect(!isSlow(6_000_000, 12_000_000, 12_900_000), "the best of two looks counts")
        #expect(isSlow(6_000_000, 12_000_000, 12_100_000, 12_200_000))
    }

    @Test("is slow where nothing comes any more")
    func stall() {
        #expect(isSlow(500_000, 500_000))
        #expect(isSlow(0, 0))
    }

    @Test("says nothing at the first look, nor in slow start")
    func slowStart() {
        #expect(!isSlow(100_000))
        #expect(!isSlow(100_000, 300_000))
        #expect(!isSlow(100_000, 300_000, 650_000))
        #expect(isSlow(100_000, 300_000, 600_000))
    }

    @Test("is looked at twice a second at most")
    func interval() {
        var speed = BodySpeed(count: 0, answerTime: 150, now: 0)
        for (now, isSlow) in [(499, false), (500, false), (501, false), (999, false), (1000, true)] {
            let found = speed.isSlow(at: 100 * Int64(now), of: Self.total, now: Int64(now))
            #expect(found == isSlow)
        }
    }

    @Test("isn't compared with one from before a long time without looks")
    func pause() {
        var speed = BodySpeed(count: 0, answerTime: 150, now: 0)
        let looks = [(500, 100, false), (1000, 200, true), (9000, 300, false), (9500, 400_000, false)]
        for (now, count, isSlow) in looks + [(10_000, 500_000, true)] {
            let found = speed.isSlow(at: Int64(count), of: Self.total, now: Int64(now))
            #expect(found == isSlow, "after \(now) ms")
        }
    }

    @Test("is that since its own beginning, for a file that goes on")
    func goesOn() {
        var speed = BodySpeed(count: 15_000_000, answerTime: 150, now: 0)
        _ = speed.isSlow(at: 15_100_000, of: Self.total, now: 500)
        let found = speed.isSlow(at: 15_200_000, of: Self.total, now: 1000)
        #expect(found)
    }
}
