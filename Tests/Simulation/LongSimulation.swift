import Foundation
import Testing

private let isWanted = ProcessInfo.processInfo.environment["SIMULATE_DAYS"] != nil

/// Many seeds, long histories: `make simulate`.
@Suite("Long simulations", .enabled(if: isWanted))
struct LongSimulation {
    private static let environment = ProcessInfo.processInfo.environment

    private static func number(_ name: String, _ usual: Double) -> Double {
        environment[name].flatMap(Double.init) ?? usual
    }

    @Test("All promises are kept", .timeLimit(.minutes(600)))
    func all() throws {
        let (days, jobs) = (Self.number("SIMULATE_DAYS", 30), Int(Self.number("SIMULATE_JOBS", 500)))
        let first = UInt64(Self.number("SIMULATE_SEED", 1))
        let count = UInt64(Self.number("SIMULATE_SEEDS", 1))
        let coverage = Coverage()
        var (broken, events) = (0, 0)
        let began = ContinuousClock.now
        for seed in first..<first + count {
            var scenario =
                try Self.environment["SIMULATE_SCENARIO"].map { try Scenario(file: $0) }
                ?? Scenario(seed: seed, days: days, jobs: jobs)
            scenario.demandsFairness = Self.environment["SIMULATE_FAIRNESS"] != nil
            let history = try History(of: scenario, isTold: Self.environment["SIMULATE_STORY"] != nil)
            coverage.add(history)
            events += history.events
            if let wanted = Self.environment["SIMULATE_WANT"], history.met[wanted] != nil {
                print("seed \(seed) meets \(wanted)")
            }
            if let promise = history.broken {
                broken += 1
                print("seed \(seed): \(promise)")
                if Self.environment["SIMULATE_FIRST"] != nil { break }
                if Self.environment["SIMULATE_QUICK"] == nil, Self.environment["SIMULATE_SCENARIO"] == nil {
                    Issue.record("\(try Failing(scenario).words)")
                }
            }
            if Self.environment["SIMULATE_STORY"] != nil { print(history.story.joined(separator: "\n")) }
        }
        let minutes = Double((ContinuousClock.now - began).components.seconds) / 60
        print(
            """
            \(coverage.table)
            \(count) seeds of \(days) days and \(jobs) jobs in \(Int(minutes * 60)) s: \
            \(broken) have broken a promise; \
            \(Int(Double(count) * days / max(minutes, 0.01))) simulated days a minute, \(events) events
            """
        )
        #expect(broken == 0)
    }
}
