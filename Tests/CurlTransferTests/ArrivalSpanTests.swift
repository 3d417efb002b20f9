import Testing

@testable import CurlTransfer

@Suite("The time through which bytes have been arriving")
struct ArrivalSpanTests {
    /// Returns a span in which bytes have arrived at these times.
    private func span(_ times: some Sequence<Int64>) -> ArrivalSpan {
        times.reduce(into: ArrivalSpan()) { $0.note(now: $1) }
    }

    @Test("covers a silence while others bring something")
    func steady() {
        let steady = span(stride(from: 1000, through: 3000, by: 100))
        #expect(steady.coversHalf(ofSilenceSince: 2000, now: 3000))
        #expect(steady.coversHalf(ofSilenceSince: 0, now: 3000), "the second half is enough")
        #expect(steady.coversHalf(ofSilenceSince: 2000, now: 3500), "a short pause is none")
        #expect(!steady.coversHalf(ofSilenceSince: 2000, now: 3501))
    }

    @Test("does not cover it before there is anything")
    func empty() {
        #expect(!ArrivalSpan().coversHalf(ofSilenceSince: 0, now: 0))
        #expect(!ArrivalSpan().coversHalf(ofSilenceSince: 0, now: 10_000))
    }

    @Test("begins anew after a pause, so that others have as long to come back")
    func pause() {
        var span = span([1000, 1100])
        for now in stride(from: Int64(6000), through: 10_900, by: 100) {
            span.note(now: now)
            #expect(!span.coversHalf(ofSilenceSince: 1050, now: now), "at \(now)")
        }
        span.note(now: 10_950)
        #expect(span.coversHalf(ofSilenceSince: 1050, now: 10_950))
        #expect(span.coversHalf(ofSilenceSince: 6000, now: 10_950), "a later request has seen no pause")
    }
}
