import TestSupport
import Testing

@testable import facefetch

@Suite("What a follower has taken and what is still to be dealt with")
struct FollowLedgerTests {
    @Test("Endings are begun in order, and written down until they are dealt with")
    func order() {
        var ledger = FollowLedger(through: 5)
        for number in [6, 9, 7] as [Int64] { ledger.accept(number, now: 0) }
        #expect(ledger.through == 9 && ledger.openNumbers == [6, 9])
        #expect(ledger.next(now: 0) == 6)
        ledger.begin(6)
        #expect(ledger.next(now: 0) == 9 && ledger.openNumbers == [6, 9])
        ledger.settle(6)
        #expect(ledger.openNumbers == [9] && ledger.through == 9)
    }

    @Test("What is put off waits twice as long each time, an hour at the most, and holds nothing else up")
    func putOff() {
        var ledger = FollowLedger(through: 0)
        ledger.accept(1, now: 0)
        ledger.accept(2, now: 0)
        var pauses: [Double] = []
        var now = 0.0
        for _ in 0..<14 {
            ledger.begin(1)
            pauses.append(ledger.putOff(1, now: now))
            #expect(ledger.next(now: now) == 2)
            now += pauses.last ?? 0
        }
        #expect(pauses.prefix(5) == [1, 2, 4, 8, 16] && pauses.max() == 3600 && pauses.last == 3600)
        #expect(ledger.next(now: now) == 1)
        ledger.settle(2)
        ledger.begin(1)
        #expect(ledger.pause(now: now) == nil)
    }

    @Test("What was open when it was written down is due at once, and counts as taken")
    func takesUp() {
        var ledger = FollowLedger(through: 10, open: [3, 8])
        ledger.accept(8, now: 0)
        #expect(ledger.next(now: 0) == 3 && ledger.openNumbers == [3, 8])
    }

    @Test("There is room for ten thousand")
    func room() {
        var ledger = FollowLedger(through: 0)
        for number in 1...10_000 as ClosedRange<Int64> { ledger.accept(number, now: 0) }
        #expect(ledger.room == 0 && ledger.openCount == 10_000)
        ledger.settle(500)
        #expect(ledger.room == 1)
    }

    @Test("What isn't to be taken is passed, and leaves what is open as it is")
    func passes() {
        var ledger = FollowLedger(through: 5)
        ledger.accept(6, now: 0)
        #expect(ledger.pass(9) && ledger.through == 9 && ledger.openNumbers == [6])
        #expect(!ledger.pass(9) && !ledger.pass(3) && ledger.through == 9)
    }
}
