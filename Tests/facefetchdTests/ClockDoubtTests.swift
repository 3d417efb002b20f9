import JobModel
import TestSupport
import Testing

@testable import facefetchd

@Suite("The doubt whether the clock is right")
struct ClockDoubtTests {
    private let folder: TemporaryDirectory
    private let start = Moment(microseconds: 1_795_243_503_000_000)

    init() throws { folder = try TemporaryDirectory() }

    private func doubt(_ now: Moment, last: Timestamp?) -> ClockDoubt {
        ClockDoubt(now: now, last: last, stateDirectory: folder.path, logger: .init(label: "test"))
    }

    @Test(
        "A clock that is years ahead is doubted, by the next runs as well, until something says that it is right"
    )
    func lasts() throws {
        let years = start.adding(seconds: 5 * 365 * 86_400)
        #expect(doubt(start, last: nil).moment == nil)
        #expect(doubt(start.adding(seconds: 3600), last: start.wall).moment == nil)
        #expect(doubt(years, last: start.wall).moment == years)
        // What the last run showed is as wrong.
        let next = years.adding(seconds: 60)
        let last = doubt(next, last: years.wall)
        #expect(last.moment == next)
        last.end()
        #expect(last.moment == nil)
        #expect(doubt(next.adding(seconds: 60), last: next.wall).moment == nil)
    }
}
