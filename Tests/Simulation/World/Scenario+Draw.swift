/// What people do, and what befalls the machine.
extension Scenario {
    /// Returns a time, most often soon after a batch was added, when there is something to disturb.
    private func time(_ chance: inout Chance, within busy: Double) -> Double {
        let added = steps.compactMap { timed in if case .add = timed.step { timed.at } else { nil } }
        guard chance.happens(0.7), !added.isEmpty else { return chance.number(1...busy) }
        return chance.pick(added) + chance.scaled(0.02...8000)
    }

    mutating func addPeople(_ chance: inout Chance, count: Int, within busy: Double) {
        for _ in 0..<count {
            let at = time(&chance, within: busy)
            let place = chance.integer(0...1_000_000)
            let step: Step
            switch chance.integer(0...19) {
            case 0...7: step = .steer(chance.pick(Step.Steering.allCases), place: place)
            case 8...9: step = .steerAll(chance.pick([.pause, .resume, .resume, .retry, .cancel]))
            case 10: step = .forget(share: chance.number(0...0.5))
            case 11...12: step = .gate(open: chance.happens(0.6))
            case 13...14:
                let kinds: [SimulatedHost.Kind] = [
                    .busy, .busyWordless, .quota, .failingPolitely, .distrusted,
                ]
                let asking = hosts.filter { kinds.contains($0.kind) }.map(\.number)
                step = .release(host: chance.pick(asking.isEmpty ? hosts.map(\.number) : asking))
            case 15...16: step = .reload(changed(&chance))
            default: step = .look(place: place, count: chance.integer(1...8))
            }
            steps.append(TimedStep(at: at, step: step))
            // What is paused for good says nothing any more.
            if case .steerAll(.pause) = step {
                steps.append(TimedStep(at: at + chance.scaled(10...20_000), step: .steerAll(.resume)))
            }
            if case .gate(false) = step {
                steps.append(TimedStep(at: at + chance.scaled(10...20_000), step: .gate(open: true)))
            }
        }
    }

    private func changed(_ chance: inout Chance) -> SimulatedSettings {
        var settings = settings
        settings.total = chance.pick([1, 3, 8, 16])
        settings.perHost = chance.pick([1, 2, 6])
        settings.detections = chance.integer(1...3)
        return settings
    }

    mutating func addTroubles(_ chance: inout Chance, count: Int, within busy: Double) {
        for _ in 0..<count {
            let at = time(&chance, within: busy)
            let step: Step
            switch chance.integer(0...15) {
            case 0...5:
                step = .kill(
                    afterActions: Int(chance.scaled(1...100)) - 1,
                    restartsAfter: chance.scaled(0.1...600)
                )
            case 6: step = .powerCut(lasts: chance.scaled(10...10_000))
            case 7: step = .stop(restartsAfter: chance.scaled(0.1...10_000))
            case 8...9: step = .lineDown(seconds: chance.scaled(5...100_000))
            case 10: step = .diskFull(seconds: chance.scaled(5...20_000))
            case 11: step = .diskHangs(seconds: chance.scaled(1...3_000))
            case 12: step = .diskReadOnly(seconds: chance.scaled(5...3_000))
            case 13: step = .storeFull(seconds: chance.scaled(2...3_000))
            case 14: step = .suspend(seconds: chance.scaled(60...100_000))
            default:
                let jump = chance.scaled(1...40_000_000)
                step = .clockSet(by: chance.happens(0.5) ? jump : -jump)
            }
            steps.append(TimedStep(at: at, step: step))
        }
    }
}
