import JobModel

@testable import JobEngine
@testable import SourceEngine

/// Looks at what lists have become, and at sources that rest.
extension ListOracle {
    // MARK: - Jobs

    /// A job is forgotten, which was there.
    func forgets(_ job: Job) { if job.url.text.contains("000") { forgotten.append(job.url.text) } }

    private var urls: [String] {
        world.rows.ids { $0.url.text.contains("000") }.compactMap { world.rows.jobs[$0]?.url.text }
            + forgotten
    }

    func made(of list: SimulatedList) -> Set<Int> {
        let all = Set(urls)
        return Set((0..<list.first + list.births.count).filter { all.contains(list.pictureURL(of: $0)) })
    }

    // MARK: - Looks

    /// The machine sleeps, while the clock by which sources sleep may stand still.
    func sleeps(until seconds: Double) {
        let awake = Self.tick(seconds + SourceWork.longestRest) + Self.grace
        for (number, present) in known where present.dueBy != nil {
            known[number]?.dueBy = max(present.dueBy ?? 0, awake)
            known[number]?.plannedBy = max(present.plannedBy ?? 0, awake)
        }
    }

    func look(_ core: EngineCore) {
        guard !world.scenario.lists.isEmpty else { return }
        seen = (world.boot, world.now)
        let isStuck =
            core.isHeldUp || world.seconds < world.storeIsFullUntil || world.seconds < world.disk.hangsUntil
        for number in known.keys.sorted() {
            guard let present = known[number], let runner = world.life?.sources.runners[number] else {
                continue
            }
            if isStuck, let due = present.dueBy {
                known[number]?.dueBy = max(due, world.now + grace(runner.list))
            }
            if let due = known[number]?.dueBy, due < world.now, world.seconds >= world.suspendedUntil {
                world.promises.breaks(
                    .looks,
                    "\(runner.list.name) should have been asked \((world.now - due) / 1_000_000) s ago, and is "
                        + "\(runner.snapshot.condition)"
                )
            }
            lookAtHold(runner, isStuck: isStuck)
        }
        let all = urls
        guard Set(all).count != all.count else { return }
        let twice = Dictionary(grouping: all, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
        // People may add the same picture, but none of a list.
        world.promises.breaks(.listed, "\(twice) became jobs more than once")
    }

    private func lookAtHold(_ runner: SimulatedSources.Runner, isStuck: Bool) {
        let name = runner.list.name
        guard runner.snapshot.isHeld, !runner.list.rules.isLazy, !isStuck,
            !world.rows.jobs.values.contains(where: {
                $0.source == name && ($0.state == .queued || $0.state == .downloading)
            })
        else { return known[runner.list.number, default: Known()].heldSince = nil }
        let since = known[runner.list.number]?.heldSince ?? world.now
        known[runner.list.number]?.heldSince = since
        if world.now - since > Self.grace {
            world.promises.breaks(.looks, "\(name) holds until some of its jobs are through, and all are")
        }
    }
}
