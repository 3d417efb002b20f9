import JobModel
import Testing

@testable import SourceEngine

struct LastingCountTests {
    private let begun = Moment(microseconds: 1_000_000_000)

    private func count(taking seconds: Double) -> LastingCount {
        LastingCount([.queued: 1], begun: begun, ended: begun.adding(seconds: seconds))
    }

    @Test("What took long is kept for twenty times as long, and for 5 seconds at most")
    func lasts() {
        for (seconds, lasts) in [(0.01, 0.2), (0.1, 2.0), (0.25, 5.0), (60, 5.0)] {
            let count = count(taking: seconds)
            let ended = begun.adding(seconds: seconds)
            #expect(count.lasts(at: ended))
            #expect(count.lasts(at: ended.adding(seconds: lasts - 0.001)), "\(seconds)")
            #expect(!count.lasts(at: ended.adding(seconds: lasts)), "\(seconds)")
        }
    }

    @Test("What took no time is counted anew")
    func isQuick() {
        #expect(!count(taking: 0).lasts(at: begun))
        #expect(!count(taking: 0.004).lasts(at: begun.adding(seconds: 0.004)))
    }
}
