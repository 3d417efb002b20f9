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

    /// One list of each character, which grows and loses items, and daemons that end in the midst of it.
    @Test("Lists become jobs once the trouble with them is over, and meet all that they can bring")
    func lists() throws {
        let coverage = Coverage()
        let pagings = SimulatedList.Paging.allCases
        var pairs = SimulatedList.Kind.allCases.enumerated().map { ($1, pagings[($0 + 1) % pagings.count]) }
        pairs += [(.steady, .single), (.repeating, .named), (.endless, .counted), (.busyWordless, .counted)]
        for (number, pair) in pairs.enumerated() {
            let scene = listScene(pair.0, pair.1, UInt64(number + 1))
            let history = try History(of: scene)
            if history.broken != nil { Issue.record("\(try Failing(scene).words)") }
            coverage.add(history)
        }
        let missed = Expected.sources.filter { coverage.counts[$0] == nil }
        #expect(missed.isEmpty, "\(missed)\n\(coverage.table)")
    }

    private func listScene(
        _ kind: SimulatedList.Kind,
        _ paging: SimulatedList.Paging,
        _ seed: UInt64
    ) -> Scenario {
        let list = SimulatedList(
            number: 0,
            kind: kind,
            trouble: 5000...40_000,
            paging: paging,
            pastEnd: SimulatedList.PastEnd.allCases[Int(seed % 3)],
            isNewestFirst: seed % 2 == 0,
            pageSize: 3,
            first: 20,
            births: [4, 6000, 6500, 12_000, 41_000],
            deaths: [2: 4, 9: 12_500],
            hasTags: seed % 3 == 0,
            maxAge: seed % 5 == 0 ? 4000 : nil,
            hosts: 0...0,
            rules: SimulatedRecipe(
                every: 7200,
                fullEvery: 30_000,
                isLazy: seed % 13 == 4,
                ahead: seed % 4 == 1 ? 2 : 500
            )
        )
        var scene = scene(
            seed,
            hours: 24,
            [host(0, .steady)],
            [
                TimedStep(at: 2, step: .follow(list: 0)),
                TimedStep(at: 3, step: .kill(afterActions: Int(seed % 7), restartsAfter: 1)),
                TimedStep(at: 6100, step: .diskFull(seconds: seed % 2 == 0 ? 3000 : 1)),
                TimedStep(at: 13_000, step: .suspend(seconds: 2000)),
                TimedStep(at: 50_000, step: .clockSet(by: seed % 2 == 0 ? 1e6 : -1e6)),
                TimedStep(at: 51_000, step: .poll(list: 0)),
                TimedStep(at: 60_000, step: .more(list: 0)),
                TimedStep(at: 70_000, step: .pauseList(list: 0, seconds: 5000)),
            ]
        )
        scene.lists = [list]
        return scene
    }
}
