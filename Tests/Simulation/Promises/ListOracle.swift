import JobModel

@testable import JobEngine
@testable import SourceCore
@testable import SourceEngine

/// What lists had and how they answered, by which it is known what sources owe.
final class ListOracle {
    /// What came of a request.
    enum Outcome: Equatable {
        /// A page, or that it hasn't changed.
        case page
        /// The recipe has counted beyond the end.
        case pastEnd
        case noRoom
        case failure(SourceFailure.Code)
        case limited(Double?)
        case status(Int, Double?, isFirst: Bool)
    }

    struct Known {
        /// The seconds at which walks began, by their numbers.
        var begun: [Int: Double] = [:]
        /// The walk whose end was looked at.
        var seen = 0
        /// The items that may have been missed while others went.
        var excused: Set<Int> = []
        /// The seconds at which its server last had something else at a place than belongs there.
        var liedAt = -1.0
        var heard: Outcome?
        /// True if its last page came while the store had no room for it, so that it is asked for again.
        var isUnkept = false
        /// The most failures in a row that the source may know of, and the least.
        var failures = (most: 0, least: 0)
        /// The time by which it asks again; nil where nothing says so.
        var dueBy: Tick?
        /// The same, as if it weren't paused or held.
        var plannedBy: Tick?
        /// The time before which it doesn't.
        var notBefore: Tick = 0
        /// The requests that count for its pace.
        var requests: [Tick] = []
        /// The number of times in a row that a page has ended the daemon.
        var kills = 0
        var heldSince: Tick?
    }

    unowned let world: World
    var known: [Int: Known] = [:]
    var forgotten: [String] = []
    /// The machine's run, and the time at which the daemon was seen in it.
    var seen: (boot: String, at: Tick) = ("", 0)

    init(_ world: World) { self.world = world }

    /// The microseconds for which something may be on its way.
    static let grace: Tick = 400_000_000

    /// The same for a list, of which no more pages may be asked for a while.
    func grace(_ list: SimulatedList) -> Tick {
        Self.grace + Self.tick(list.rules.pace.flatMap { SourcePace($0) }?.window ?? 0)
    }

    static func tick(_ seconds: Double) -> Tick { Tick(min(seconds, 1e9) * 1_000_000) }

    // MARK: - Servers

    /// A page of a list is asked for.
    func asks(_ list: SimulatedList, in world: World) {
        world.tell("a page of \(list.name) is asked for")
        let number = list.number
        var present = known[number] ?? Known()
        defer { known[number] = present }
        if world.now < present.notBefore - 1_000_000, !present.isUnkept {
            let seconds = (present.notBefore - world.now) / 1_000_000
            world.promises.breaks(.looks, "\(list.name) is asked \(seconds) s before its time")
        }
        if let pace = list.rules.pace.flatMap({ SourcePace($0) }) {
            // A request is counted when it is decided, a moment before it goes out.
            present.requests.removeAll { world.now - $0 >= Self.tick(pace.window - 1) }
            if present.requests.count >= pace.count {
                world.promises.breaks(.looks, "\(list.name) is asked more often than \(pace)")
            }
            present.requests.append(world.now)
        }
        if let walk = world.life?.sources.runners[number]?.work.machine.state.walk?.number,
            present.begun[walk] == nil
        {
            present.begun[walk] = world.seconds
        }
        present.heard = nil
        present.dueBy = world.now + grace(list)
        present.plannedBy = present.dueBy
    }

    /// A server sends a page, which may be the one that is known.
    func sends(_ list: SimulatedList) {
        var present = known[list.number] ?? Known()
        present.heard = .page
        present.isUnkept = world.seconds < world.storeIsFullUntil
        present.dueBy = longest(list).map { world.now + Self.tick($0) + grace(list) }
        present.plannedBy = present.dueBy
        known[list.number] = present
    }

    /// A server has something else at a place than belongs there.
    func lies(_ list: SimulatedList) { known[list.number, default: Known()].liedAt = world.seconds }

    /// A page ends the daemon.
    func endsDaemon(_ list: SimulatedList) {
        known[list.number, default: Known()].kills += 1
        // The first may go uncounted, and of the next three each is read again at once.
        guard known[list.number]?.kills ?? 0 > SourceWork.mostAttempts else { return }
        known[list.number]?.notBefore = world.now + Self.tick(0.9 * 240)
    }

    /// A request has come to something.
    func hears(_ list: SimulatedList, _ outcome: Outcome) {
        world.tell("\(list.name): \(outcome)")
        world.coverage.note("page \(Self.label(outcome))")
        var present = known[list.number] ?? Known()
        defer { known[list.number] = present }
        present.heard = outcome
        present.kills = 0
        if outcome != .page { present.isUnkept = false }
        if outcome == .noRoom { return present.dueBy = world.now + grace(list) }
        if waits(outcome, 1, list) == nil {
            present.failures.least = 0
            present.dueBy = longest(list).map { world.now + Self.tick($0) + grace(list) }
        } else {
            present.failures.most += 1
            let wait = waits(outcome, present.failures.most, list)?.upperBound ?? 0
            present.dueBy = world.now + Self.tick(wait) + grace(list)
        }
        present.plannedBy = present.dueBy
    }

    private static func label(_ outcome: Outcome) -> String {
        switch outcome {
        case .failure(let code): code.rawValue
        case .status(let status, let wait, _): "\(status)\(wait == nil ? "" : ", asks to wait")"
        case .limited: "no requests left"
        default: "\(outcome)"
        }
    }

    /// Returns the longest time from a page to the next one, in seconds; nil for ever.
    private func longest(_ list: SimulatedList) -> Double? {
        list.rules.every.map {
            max($0, 60, min(Double(list.maxAge ?? 0), 86_400)) * 1.1
        }
    }

    /// Returns the seconds that are waited after so many failures in a row; nil where it is none.
    private func waits(_ outcome: Outcome, _ failures: Int, _ list: SimulatedList) -> ClosedRange<Double>? {
        var backoff = 60.0
        for _ in 1..<max(2, min(failures, 12)) where failures > 1 { backoff = min(backoff * 2, 21_600) }
        func varied(_ asked: Double?, or rest: Double = 0) -> ClosedRange<Double> {
            let least = max(backoff * 0.9, min(asked ?? 0, 86_400))
            return least...max(backoff * 1.1, min(asked ?? 0, 86_400), rest)
        }
        switch outcome {
        case .page, .pastEnd, .noRoom: return nil
        case .limited(let asked): return varied(asked)
        case .failure(.readerCrashed):
            return failures == 1 ? 1...1 : varied(nil, or: failures < 5 ? 0 : 86_400)
        case .failure(.readerTimedOut): return varied(nil, or: failures < 5 ? 0 : 86_400)
        case .failure(.unexpectedShape): return 86_400...86_400
        case .failure: return varied(nil)
        case .status(404, _, let isFirst), .status(410, _, let isFirst):
            if !isFirst, list.paging == .counted { return nil }
            if case .status(410, _, _) = outcome { return nil }
            return varied(nil, or: 86_400)
        case .status(403, _, _): return 86_400...86_400
        case .status(_, let asked, _): return varied(asked)
        }
    }

    // MARK: - Sources

    /// A source is taken up.
    func begins(_ runner: SimulatedSources.Runner, in world: World) {
        let number = runner.list.number
        var present = known[number] ?? Known()
        defer { known[number] = present }
        present.heard = nil
        present.dueBy = present.plannedBy.map { max($0, world.now + grace(runner.list)) }
        if present.begun.isEmpty { present.dueBy = world.now + grace(runner.list) }
        if seen.boot != world.boot {
            // Only the wall clock can tell how long the machine was off, and that may have been set.
            present.dueBy = present.dueBy.map { $0 + world.now - seen.at + grace(runner.list) }
            (present.notBefore, present.requests) = (0, [])
        }
        if present.kills >= 2, runner.snapshot.condition == .waiting {
            world.coverage.note("page waits since it ends the daemon")
            present.dueBy = world.now + Self.tick(6.6 * 3600) + grace(runner.list)
        }
        present.plannedBy = present.dueBy
    }

    /// A person has asked something of a source.
    func hears(_ request: SourceRunner.Request, of runner: SimulatedSources.Runner) {
        var present = known[runner.list.number] ?? Known()
        defer { known[runner.list.number] = present }
        switch request {
        case .poll:
            present.notBefore = 0
            present.plannedBy = world.now + grace(runner.list)
            present.dueBy = present.plannedBy
        case .resume: present.dueBy = present.plannedBy.map { max($0, world.now + grace(runner.list)) }
        case .more, .pause, .change, .remove: break
        }
    }

    /// A source has done a step.
    func steps(_ runner: SimulatedSources.Runner, in world: World) {
        let (list, snapshot) = (runner.list, runner.snapshot)
        var present = known[list.number] ?? Known()
        defer { known[list.number] = present }
        let condition = snapshot.condition
        world.coverage.note("source \(condition)")
        if condition != .held { present.heldSince = nil }
        if let heard = present.heard {
            present.heard = nil
            if let wait = waits(heard, present.failures.least + 1, list) {
                present.failures.least += 1
                present.notBefore = world.now + Self.tick(wait.lowerBound)
                tells(snapshot, of: list)
            } else if heard != .noRoom {
                present.failures = (0, 0)
                if condition == .idle {
                    let every = Self.tick(max((list.rules.every ?? 0) * 0.9, 54))
                    // What a page says of its freshness counts from when it came, which was after this.
                    let begun = present.begun[snapshot.state.walk?.number ?? 0] ?? 0
                    let fresh = Self.tick(begun + Double(min(list.maxAge ?? 0, 86_400)))
                    present.notBefore = max(world.now + every, fresh)
                } else if condition == .reading || condition == .held {
                    present.dueBy = world.now + grace(list)
                }
            }
        }
        switch condition {
        case .paused, .held: present.dueBy = nil
        case .ended:
            present.dueBy = nil
            if list.rules.every != nil, snapshot.state.lastStop != .gone {
                world.promises.breaks(.looks, "\(list.name) has ended, and says that it looks again")
            }
        case .waiting where snapshot.shortage != nil: present.dueBy = world.now + grace(list)
        case .idle, .reading, .waiting, .failed: break
        }
        if let stop = snapshot.state.lastStop, let walk = snapshot.state.walk, walk.number != present.seen {
            present.seen = walk.number
            world.coverage.note("stop \(stop.rawValue)")
            world.tell("\(list.name): walk \(walk.number) has ended: \(stop.rawValue)")
            ended(walk, stop, of: list, &present)
        }
    }

    private func tells(_ snapshot: SourceSnapshot, of list: SimulatedList) {
        if snapshot.state.failure == nil {
            world.promises.breaks(.told, "\(list.name) says nothing of a look that failed")
        }
        if world.rows.pages[snapshot.id]?.contains("\"error\":") != true {
            world.promises.breaks(.told, "the pages of \(list.name) say nothing of one that failed")
        }
    }

    /// A walk has ended.
    private func ended(_ walk: WalkState, _ stop: WalkStop, of list: SimulatedList, _ present: inout Known) {
        guard stop.isComplete, let since = present.begun[walk.number] else { return }
        let made = made(of: list)
        let now = Set(list.items(at: world.seconds))
        let left = Set(list.items(at: since)).intersection(now).subtracting(made)
        // What moves up to a page that was read isn't seen, until a list is read to its end again.
        guard !list.moves(from: since, to: world.seconds), present.liedAt < since else {
            return present.excused.formUnion(now.subtracting(made))
        }
        if walk.isFull, stop != .unchanged { present.excused = [] }
        let missing = left.subtracting(present.excused).sorted()
        if !missing.isEmpty {
            world.promises.breaks(
                .listed,
                "\(list.name) had \(missing) throughout a walk, and they are no jobs"
            )
        }
    }
}
