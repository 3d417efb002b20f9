import Testing

@testable import facefetch_fleet

@Suite("Handing over what sources find")
struct FeedingTests {
    @Test("What an earlier run has handed over is compared first")
    func compares() {
        var feeding = Feeding(store: "s", through: 7)
        #expect(feeding.compares)
        feeding.compared = 7
        #expect(!feeding.compares)
        #expect(!Feeding(store: "s", through: 0).compares)
    }

    @Test("Looking for what has ended takes a twentieth of the time at most, unless more is there")
    func looks() {
        var feeding = Feeding(store: "s", through: 0)
        feeding.looked(from: .seconds(10), to: .seconds(10.001), foundMost: false)
        #expect(feeding.looksAt == .seconds(11.001))
        feeding.looked(from: .seconds(20), to: .seconds(21), foundMost: false)
        #expect(feeding.looksAt == .seconds(41))
        feeding.looked(from: .seconds(50), to: .seconds(51), foundMost: true)
        #expect(feeding.looksAt == .seconds(51))
    }
}
