/// A world and what happens in it: all that a history depends on.
struct Scenario: Hashable, Sendable, Codable {
    /// The seed of whatever is drawn while the history goes on.
    var seed: UInt64
    /// The seconds for which the history lasts.
    var length: Double
    var hosts: [SimulatedHost]
    /// The lists that sources read.
    var lists: [SimulatedList] = []
    /// What happens, in order of time.
    var steps: [TimedStep]
    var settings: SimulatedSettings
    /// True if a job at a host that answers has to begin soon, however many are at hosts that don't.
    var demandsFairness = false

    /// The number of jobs that are added.
    var jobCount: Int {
        steps.reduce(0) { sum, timed in
            if case .add(_, let items, _) = timed.step { sum + items.count } else { sum }
        }
    }

    /// Draws a scenario of about so many days and jobs.
    init(seed: UInt64, days: Double, jobs: Int) {
        self.seed = seed
        length = days * 86_400
        var chance = Chance(seed, "scenario")
        settings = Self.settings(&chance)
        var trials = Chance(seed, "trials")
        settings.trials = trials.pick([1024, 1024, 1024, 8, 0])
        hosts = Self.hosts(&chance, count: chance.integer(3...max(3, min(40, jobs / 3))), length: length)
        steps = []
        // What is quiet at the end shows what is left undone.
        let busy = length * 0.7
        addBatches(&chance, jobs: jobs, within: busy)
        addPeople(&chance, count: max(10, Int(days * 15)), within: busy)
        addTroubles(&chance, count: max(6, Int(days * 5)), within: busy)
        addLists(jobs: jobs, within: busy)
        steps.sort { $0.at < $1.at }
    }

    private static func settings(_ chance: inout Chance) -> SimulatedSettings {
        var settings = SimulatedSettings()
        settings.total = chance.pick([1, 2, 4, 8, 16, 16])
        settings.perHost = chance.pick([1, 2, 6, 6])
        settings.ahead = chance.pick([0, 0, 8, 64])
        settings.detections = chance.integer(1...3)
        settings.maximumTries = chance.pick([3, 8, 20])
        settings.sliceSize = chance.pick([8, 64, 2000, 2000])
        return settings
    }

    private static func hosts(_ chance: inout Chance, count: Int, length: Double) -> [SimulatedHost] {
        (0..<count).map { number in
            let kind: SimulatedHost.Kind =
                chance.happens(0.3) ? .steady : chance.pick(SimulatedHost.Kind.allCases)
            let begins = chance.happens(0.6) ? 0 : chance.number(0...length / 2)
            let ends = chance.happens(0.2) ? Double.infinity : begins + chance.scaled(60...length)
            return SimulatedHost(
                number: number,
                kind: kind,
                latency: chance.scaled(0.002...2),
                rate: kind == .slow ? chance.scaled(2000...20_000) : chance.scaled(50_000...50_000_000),
                trouble: begins...ends,
                pace: chance.happens(0.1)
                    ? SimulatedPace(requests: chance.integer(1...5), seconds: chance.pick([1, 10, 60])) : nil
            )
        }
    }

    private mutating func addBatches(_ chance: inout Chance, jobs: Int, within busy: Double) {
        var left = jobs
        var batch = 0
        while left > 0 {
            batch += 1
            let count = min(left, Int(chance.scaled(1...Double(max(2, jobs / 2)))))
            left -= count
            // Lists are often of few hosts.
            let few = chance.happens(0.5) ? [chance.integer(0...hosts.count - 1)] : []
            let items = (0..<count).map { _ in
                Step.Item(
                    host: few.first ?? chance.integer(0...hosts.count - 1),
                    path: chance.integer(0...max(8, jobs)),
                    priority: chance.happens(0.1) ? chance.integer(-100...100) : 0
                )
            }
            let at = batch == 1 ? 1 : chance.number(1...busy)
            let lease = chance.happens(0.1) ? chance.pick([60, 3600]) : nil
            steps.append(TimedStep(at: at, step: .add(batch: batch, items, lease: lease)))
            guard lease != nil else { continue }
            for _ in 0..<chance.integer(1...6) {
                steps.append(TimedStep(at: at + chance.scaled(10...busy), step: .renew(batch: batch)))
            }
        }
    }
}
