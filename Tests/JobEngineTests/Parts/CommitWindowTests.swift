import JobModel
import Testing

@testable import JobEngine

/// Tests of when it is time to commit.
struct CommitWindowTests {
    private let begin = Moment(microseconds: 1_795_243_503_000_000)

    @Test("The first commit waits for nothing, the next for 4 ms, unless somebody waits for an answer")
    func interval() {
        var window = CommitWindow()
        #expect(window.isOpen(now: begin, isAwaited: false))
        window.committed(now: begin)
        let soon = begin.adding(seconds: CommitWindow.interval / 2)
        #expect(!window.isOpen(now: soon, isAwaited: false))
        #expect(window.isOpen(now: soon, isAwaited: true))
        let opens = begin.adding(seconds: CommitWindow.interval)
        #expect(window.opensAt == opens)
        #expect(window.isOpen(now: opens, isAwaited: false))
    }

    @Test("A full disk is tried again after a second, and things are held up until it goes on")
    func fullDisk() {
        var window = CommitWindow()
        #expect(window.mayTry(now: begin) && !window.isHeldUp)
        window.foundNoRoom(now: begin)
        #expect(window.isHeldUp)
        #expect(!window.mayTry(now: begin.adding(seconds: 0.5)))
        #expect(window.retriesAt == begin.adding(seconds: 1))
        #expect(window.mayTry(now: begin.adding(seconds: 1)))
        window.goOn()
        #expect(!window.isHeldUp && window.mayTry(now: begin))
    }
}
