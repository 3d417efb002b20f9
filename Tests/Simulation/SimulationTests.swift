import Foundation
import Testing

/// The engine under simulated time: hosts, disks, clocks, people and kills are numbers that a seed has drawn.
@Suite("The whole engine in simulated worlds")
struct SimulationTests {
    /// The seeds of every run of the tests, which together meet all that there is to meet.
    static let seeds: [UInt64] = Array(1...20) + [31]
    /// The size of their histories.
    static let size = (days: 2.0, jobs: 48)

    private static let histories = Result { () throws -> [History] in
        try seeds.map { try History(of: Scenario(seed: $0, days: size.days, jobs: size.jobs)) }
    }

    @Test("Known seeds keep all promises")
    func known() throws {
        for history in try Self.histories.get() {
            if history.broken != nil { Issue.record("\(try Failing(history.scenario).words)") }
        }
    }

    @Test("A seed that nobody has tried keeps all promises")
    func fresh() throws {
        let seed = UInt64.random(in: 1_000_000...999_999_999)
        print("simulation: fresh seed \(seed)")
        let history = try History(of: Scenario(seed: seed, days: Self.size.days, jobs: Self.size.jobs))
        if history.broken != nil { Issue.record("\(try Failing(history.scenario).words)") }
    }

    @Test("One seed is one history", arguments: [3, 7] as [UInt64])
    func same(_ seed: UInt64) throws {
        let scenario = Scenario(seed: seed, days: 1, jobs: 40)
        let (one, other) = (try History(of: scenario, isTold: true), try History(of: scenario, isTold: true))
        let difference = zip(one.story, other.story).first { $0 != $1 }
        #expect(difference == nil, "\(difference.map { "\($0.0)\n\($0.1)" } ?? "")")
        #expect(one.fingerprint == other.fingerprint)
        #expect(!one.story.isEmpty)
    }

    @Test("Known seeds meet all that this world can bring")
    func coverage() throws {
        let coverage = Coverage()
        for history in try Self.histories.get() { coverage.add(history) }
        let missed = Expected.all.filter { coverage.counts[$0] == nil }
        #expect(missed.isEmpty, "\(missed)\n\(coverage.table)")
    }

    @Test("A scenario that was kept is the same one")
    func kept() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            let scenario = Scenario(seed: seed, days: 2, jobs: 40)
            let file = try scenario.keep()
            defer { unlink(file) }
            #expect(try Scenario(file: file) == scenario)
        }
    }

    @Test("What fails is made smaller, down to what it fails by")
    func shrinking() {
        let scenario = Scenario(seed: 5, days: 3, jobs: 60)
        func isBad(_ timed: TimedStep) -> Bool {
            if case .add(_, let items, _) = timed.step { items.contains { $0.host == 1 } } else { false }
        }
        var shrinking = Shrinking(tries: 1000) {
            $0.steps.contains(where: isBad) && $0.hosts[2].kind != .steady
        }
        var failing = scenario
        failing.hosts[2].kind = .silent
        let small = shrinking.shrunk(failing)
        #expect(small.steps.count == 1)
        #expect(small.jobCount == 1)
        #expect(small.hosts.filter { $0.kind != .steady }.map(\.number) == [2])
    }
}

/// A scenario that breaks a promise, made smaller.
struct Failing {
    /// What people are told of it, with the command that lives through it again.
    let words: String

    init(_ scenario: Scenario, tries: Int = 120) throws {
        let promise = try History(of: scenario).broken?.promise
        var shrinking = Shrinking(tries: tries) { (try? History(of: $0))?.broken?.promise == promise }
        let smallest = shrinking.shrunk(scenario)
        let file = try smallest.keep()
        let steps = smallest.steps.map { "  \(Int($0.at)) s: \($0.step)" }.joined(separator: "\n")
        words = """
            \(try History(of: smallest, isTold: true).report)
            made smaller, from \(scenario.steps.count) steps and \(scenario.jobCount) jobs to these:
            \(steps)
            again: make simulate SCENARIO=\(file) STORY=1
            as it was: make simulate SEED=\(scenario.seed) DAYS=\(scenario.length / 86_400) JOBS=\(scenario.jobCount)
            """
    }
}
