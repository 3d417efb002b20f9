import Foundation
import Testing

@testable import Receivers

@Suite("What is reported of many faults")
struct ReportAllowanceTests {
    private let start = 1_800_000_000.0

    @Test("is one of each an hour, with the number of those that were held back")
    func hourly() {
        var allowance = ReportAllowance()
        func ask(_ name: String, _ now: Double) -> Int? { allowance.ask([name], now: now) }
        #expect(ask("a", start) == 0)
        #expect(ask("a", start + 1) == nil)
        #expect(ask("b", start + 1) == 0)
        #expect(ask("a", start + 3599) == nil)
        #expect(ask("a", start + 3600) == 2)
        #expect(ask("a", start + 7201) == 0)
    }

    @Test("is twenty in a day, and those that were held back are counted")
    func daily() {
        var allowance = ReportAllowance()
        func ask(_ name: String, _ now: Double) -> Int? { allowance.ask([name], now: now) }
        for index in 0..<20 { #expect(ask("\(index)", start + Double(index)) == 0) }
        #expect(ask("new", start + 100) == nil)
        #expect(ask("0", start + 4000) == nil)
        #expect(ask("new", start + 50_000) == nil)
        #expect(ask("new", start + 86_400) == 2)
    }

    @Test("doesn't depend on what a wrong clock has noted, and is the same after a restart")
    func clock() throws {
        var allowance = ReportAllowance()
        func ask(_ name: String, _ now: Double) -> Int? { allowance.ask([name], now: now) }
        #expect(ask("a", start + 1e9) == 0)
        #expect(ask("a", start) == 0)
        #expect(ask("a", start + 1) == nil)
        let kept = try JSONDecoder().decode(ReportAllowance.self, from: JSONEncoder().encode(allowance))
        #expect(kept == allowance)
    }

    @Test("takes no more room the more faults there are")
    func bounded() throws {
        var allowance = ReportAllowance()
        for index in 0..<1000 { _ = allowance.ask(["fault", "\(index)"], now: start + Double(index)) }
        #expect(try JSONEncoder().encode(allowance).count < 16_384)
    }
}
