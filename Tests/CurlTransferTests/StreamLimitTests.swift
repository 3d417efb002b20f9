import Testing

@testable import CurlTransfer

@Suite("The most streams that may fetch a file")
struct StreamLimitTests {
    /// A limit that has lost all streams but one.
    private var lost: StreamLimit {
        var limit = StreamLimit(4)
        for _ in 1...5 { limit.reduce() }
        return limit
    }

    @Test("are one less after each loss, and at least one")
    func losses() {
        var limit = StreamLimit(4)
        limit.reduce()
        #expect(limit.count == 3)
        #expect(lost.count == 1)
        #expect(StreamLimit(0).count == 1)
    }

    @Test("are one more again after each quarter of a gibibyte without a loss, but never more than at first")
    func recovery() {
        var limit = lost
        limit.received(StreamLimit.recovery - 1)
        #expect(limit.count == 1)
        limit.received(1)
        #expect(limit.count == 2)
        limit.received(StreamLimit.recovery - 1)
        limit.reduce()
        limit.received(StreamLimit.recovery - 1)
        #expect(limit.count == 1, "it counts from the last loss on")
        for _ in 1...5 { limit.received(StreamLimit.recovery) }
        #expect(limit.count == 4)
    }

    @Test("are one for good where ranges are answered strangely")
    func strange() {
        var limit = StreamLimit(4)
        limit.fallBack()
        limit.received(2 * StreamLimit.recovery)
        #expect(limit.count == 1)
    }
}
