import Testing

@testable import Children

struct SpeechAllowanceTests {
    @Test("Some lines come at once, then one every three seconds, and it is said how many were left out")
    func rate() {
        var allowance = SpeechAllowance(now: .zero)
        for _ in 1...20 { #expect(allowance.ask(now: .zero) == 0) }
        for _ in 1...7 { #expect(allowance.ask(now: .milliseconds(2999)) == nil) }
        #expect(allowance.ask(now: .seconds(3)) == 7)
        #expect(allowance.ask(now: .seconds(3)) == nil)
        #expect(allowance.ask(now: .seconds(6)) == 1)
        #expect(allowance.ask(now: .seconds(13)) == 0)
        #expect(allowance.ask(now: .seconds(13)) == 0)
        #expect(allowance.ask(now: .seconds(14)) == nil)
    }

    @Test("After a long silence there are no more lines at once than at first")
    func silence() {
        var allowance = SpeechAllowance(now: .zero)
        var count = 0
        while allowance.ask(now: .seconds(1_000_000_000_000)) != nil { count += 1 }
        #expect(count == SpeechAllowance.burst)
    }
}
