/// Makes a scenario that fails smaller, as long as it fails.
struct Shrinking {
    /// Returns whether a scenario fails in the same way.
    let fails: (Scenario) -> Bool
    /// The number of further scenarios that may be tried.
    private(set) var tries: Int

    init(tries: Int = 300, fails: @escaping (Scenario) -> Bool) { (self.fails, self.tries) = (fails, tries) }

    /// Returns the smallest scenario that was found, which fails if the given one does.
    mutating func shrunk(_ scenario: Scenario) -> Scenario {
        var smallest = scenario
        var before: Scenario
        repeat {
            before = smallest
            smallest = withFewerSteps(smallest)
            smallest = withFewerJobs(smallest)
            smallest = withBetterHosts(smallest)
            smallest = shorter(smallest)
        } while smallest != before && tries > 0
        return smallest
    }

    private mutating func take(_ candidate: Scenario, over scenario: inout Scenario) -> Bool {
        guard candidate != scenario, tries > 0 else { return false }
        tries -= 1
        guard fails(candidate) else { return false }
        scenario = candidate
        return true
    }

    private mutating func withFewerSteps(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        var size = max(1, scenario.steps.count / 2)
        while true {
            var first = 0
            while first < scenario.steps.count {
                var candidate = scenario
                candidate.steps.removeSubrange(first..<min(first + size, scenario.steps.count))
                if !take(candidate, over: &scenario) { first += size }
            }
            guard size > 1 else { return scenario }
            size /= 2
        }
    }

    private mutating func withFewerJobs(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        for place in scenario.steps.indices {
            guard case .add(_, let all, _) = scenario.steps[place].step else { continue }
            var size = max(1, all.count / 2)
            while true {
                var first = 0
                while case .add(let batch, var items, let lease) = scenario.steps[place].step,
                    first < items.count,
                    items.count > 1
                {
                    items.removeSubrange(first..<min(first + size, items.count))
                    guard !items.isEmpty else { break }
                    var candidate = scenario
                    candidate.steps[place].step = .add(batch: batch, items, lease: lease)
                    if !take(candidate, over: &scenario) { first += size }
                }
                guard size > 1 else { break }
                size /= 2
            }
        }
        return scenario
    }

    private mutating func withBetterHosts(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        for place in scenario.hosts.indices {
            var candidate = scenario
            candidate.hosts[place].kind = .steady
            candidate.hosts[place].pace = nil
            _ = take(candidate, over: &scenario)
        }
        for place in scenario.lists.indices {
            var candidate = scenario
            candidate.lists[place].kind = .steady
            _ = take(candidate, over: &scenario)
            candidate = scenario
            candidate.lists[place].deaths = [:]
            _ = take(candidate, over: &scenario)
            candidate = scenario
            candidate.lists[place].births = []
            candidate.lists[place].deaths = [:]
            _ = take(candidate, over: &scenario)
        }
        var candidate = scenario
        candidate.settings = SimulatedSettings()
        _ = take(candidate, over: &scenario)
        return scenario
    }

    private mutating func shorter(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        while scenario.length > 600 {
            var candidate = scenario
            candidate.length /= 2
            candidate.steps.removeAll { $0.at > candidate.length }
            guard take(candidate, over: &scenario) else { return scenario }
        }
        return scenario
    }
}
