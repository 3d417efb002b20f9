/// The lists that sources read, and what people do with them.
extension Scenario {
    /// Adds lists with about so many items to half of all worlds.
    mutating func addLists(jobs: Int, within busy: Double) {
        var chance = Chance(seed, "lists")
        guard chance.happens(0.5) else { return }
        let count = chance.integer(1...3)
        for number in 0..<count {
            lists.append(Self.list(number, &chance, items: max(8, jobs / 4), hosts: hosts.count, busy))
            let at = chance.happens(0.7) ? 2 : chance.number(2...busy / 2)
            steps.append(TimedStep(at: at, step: .follow(list: number)))
            for _ in 0..<chance.integer(0...3) {
                let step: Step =
                    switch chance.integer(0...3) {
                    case 0: .pauseList(list: number, seconds: chance.scaled(5...40_000))
                    case 1: .more(list: number)
                    default: .poll(list: number)
                    }
                steps.append(TimedStep(at: chance.number(at...busy), step: step))
            }
            // Whatever becomes of a walk, a daemon may end in the midst of it.
            guard chance.happens(0.5) else { continue }
            let step = Step.kill(afterActions: chance.integer(0...8), restartsAfter: chance.scaled(0.1...600))
            steps.append(TimedStep(at: at + chance.scaled(0.02...4000), step: step))
        }
    }

    private static func list(
        _ number: Int,
        _ chance: inout Chance,
        items: Int,
        hosts: Int,
        _ busy: Double
    ) -> SimulatedList {
        let begins = chance.happens(0.5) ? 0 : chance.number(0...busy / 2)
        let first = chance.integer(0...items)
        let births = (0..<chance.integer(0...items / 2)).map { _ in chance.number(1...busy) }.sorted()
        var deaths: [Int: Double] = [:]
        if chance.happens(0.5) {
            for item in 0..<first + births.count where chance.happens(0.15) {
                let born = item < first ? 0 : births[item - first]
                deaths[item] = born + chance.scaled(1...busy)
            }
        }
        let host = chance.integer(0...hosts - 1)
        return SimulatedList(
            number: number,
            kind: chance.happens(0.25) ? .steady : chance.pick(SimulatedList.Kind.allCases),
            trouble: begins...(chance.happens(0.2) ? .infinity : begins + chance.scaled(60...busy)),
            paging: chance.pick(SimulatedList.Paging.allCases),
            pastEnd: chance.pick(SimulatedList.PastEnd.allCases),
            isNewestFirst: chance.happens(0.5),
            pageSize: chance.integer(3...12),
            first: first,
            births: births,
            deaths: deaths,
            hasTags: chance.happens(0.5),
            maxAge: chance.happens(0.2) ? chance.integer(1...20_000) : nil,
            hosts: host...min(hosts - 1, host + chance.integer(0...3)),
            rules: recipe(&chance)
        )
    }

    private static func recipe(_ chance: inout Chance) -> SimulatedRecipe {
        var recipe = SimulatedRecipe()
        // Looks are most of what a long history costs.
        recipe.every = chance.happens(0.1) ? nil : chance.pick([3600, 7200, 7200, 20_000, 40_000])
        recipe.fullEvery = chance.pick([nil, 20_000, 86_400])
        recipe.isLazy = chance.happens(0.15)
        recipe.ahead = chance.pick([4, 12, 500, 500])
        recipe.pace = chance.happens(0.2) ? chance.pick(["2/m", "6/h", "30/h"]) : nil
        return recipe
    }
}
