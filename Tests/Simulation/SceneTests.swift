import Foundation
import Testing

/// Worlds that people have met, put together by hand.
@Suite("Scenes of simulated worlds")
struct SceneTests {
    private func host(
        _ number: Int,
        _ kind: SimulatedHost.Kind,
        until end: Double = .infinity
    ) -> SimulatedHost {
        SimulatedHost(number: number, kind: kind, latency: 0.05, rate: 1_000_000, trouble: 0...end)
    }

    private func scene(
        _ seed: UInt64,
        hours: Double,
        _ hosts: [SimulatedHost],
        _ steps: [TimedStep]
    ) -> Scenario {
        var scene = Scenario(seed: seed, days: hours / 24, jobs: 1)
        (scene.hosts, scene.steps, scene.settings) = (hosts, steps, SimulatedSettings())
        return scene
    }

    private func items(_ host: Int, _ count: Int) -> [Step.Item] {
        (1...count).map { Step.Item(host: host, path: $0, priority: 0) }
    }

    @Test(
        "Whoever waits for a host goes on once a person has released it",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func released(_ seed: UInt64) throws {
        let scene = scene(
            seed,
            hours: 6,
            [host(0, .busy, until: 30), host(1, .steady)],
            [
                TimedStep(at: 1, step: .add(batch: 1, items(0, 50) + items(1, 5), lease: nil)),
                TimedStep(at: 40, step: .release(host: 0)),
            ]
        )
        let history = try History(of: scene, isTold: true)
        if history.broken != nil { Issue.record("\(history.report)") }
    }

    /// Hosts that accept and never answer, before others that answer: what the last file of these takes, beside what
    /// it takes alone.
    @Test(
        "Hosts that bring nothing cost the others little",
        .enabled(if: ProcessInfo.processInfo.environment["SIMULATE_FAIRNESS"] != nil),
        arguments: [SimulatedHost.Kind.silent, .dropping, .unnamed],
        [3, 24]
    )
    func dead(_ kind: SimulatedHost.Kind, _ count: Int) throws {
        let good = (0..<5).map { host($0, .steady) }
        let dead = (5..<5 + count).map { host($0, kind) }
        let lists = (0..<5).flatMap { items($0, 60) }
        let others = (5..<5 + count).flatMap { items($0, 100) }
        let alone = scene(1, hours: 2, good, [TimedStep(at: 1, step: .add(batch: 1, lists, lease: nil))])
        let beside = scene(
            1,
            hours: 2,
            good + dead,
            [TimedStep(at: 1, step: .add(batch: 1, others + lists, lease: nil))]
        )
        let (first, second) = (try last(alone), try last(beside))
        print("scene: \(count) \(kind) hosts of 100 jobs before 300 good ones: \(second) s, alone \(first) s")
        #expect(second <= 1.3 * first + 5)
    }

    /// Returns the seconds until all that is good has arrived.
    private func last(_ scene: Scenario) throws -> Double {
        let history = try History(of: scene)
        #expect(history.broken == nil)
        return (0..<5).compactMap { history.arrivedAt["h\($0).example:80"] }.max() ?? .infinity
    }
}
