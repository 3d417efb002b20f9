import JobModel
import JobStore
import TestSupport
import Vocabulary

@testable import JobEngine

/// One run of the daemon: the real engine over the real store, with everything else of this world.
///
/// It is on the one thread of its world.
final class Life: @unchecked Sendable {
    unowned let world: World
    let number: Int
    let clock: SteadyClock
    let store: SimulatedStore
    private(set) var core: EngineCore?
    /// What has arrived since the last turn.
    private(set) var inbox: [EngineInput] = []
    /// The moment from which the engine has a turn by itself.
    private(set) var wake: Moment?
    /// The time until which the last turn lasts.
    var busyUntil: Tick = 0
    private(set) var isDead = false
    /// The actions that are left to it, if it is to be killed.
    var actionsLeft: Int?
    /// True while nothing may be written but by the store.
    var isWritingHeld = false
    /// The number of actions so far.
    private(set) var actions = 0
    private(set) lazy var transfers = SimulatedTransfers(self)
    private(set) lazy var documents = SimulatedDocuments(self)
    private(set) lazy var detectors = SimulatedDetectors(self)
    private(set) lazy var sources = SimulatedSources(self)
    private let bus = EventBus()
    private var tellsSources = false
    private var chance: Chance

    /// Begins another run over what the one before has left.
    init(_ world: World, number: Int) throws {
        self.world = world
        self.number = number
        chance = Chance(world.scenario.seed, "life", number)
        let real = try JobStore(path: world.storePath)
        store = SimulatedStore(real, world)
        clock = SteadyClock(goingOnWith: try real.storedClock(), boot: world.boot, reading: world.reading)
        store.life = self
    }

    /// The present moment, as the engine reads it.
    var moment: Moment { clock.moment(world.reading) }

    /// Loads the engine, and has its first turn.
    func begin() throws {
        try world.log.catchUp(from: store.real)
        let ports = EnginePorts(
            store: store,
            transfers: transfers,
            documents: documents,
            detection: detectors,
            sinks: [SimulatedLog.Port(self)],
            bus: bus
        )
        core = try EngineCore(
            ports: ports,
            configuration: world.configuration,
            now: moment,
            clock: clock,
            generator: SeededGenerator(seed: chance.seed())
        ) { [unowned self] in
            world.promises.breaks(.possible, "\($0)")
        }
        try turn()
        if !isDead { sources.begin() }
    }

    /// Hands the engine all that has arrived.
    func turn() throws {
        guard let core else { return }
        let inputs = inbox
        inbox = []
        world.promises.turnBegins(inputs, of: self)
        wake = try core.turn(inputs, now: moment)
        busyUntil = world.now + Tick(chance.scaled(100...8000))
        if !isDead { world.promises.turnEnded(inputs, core, of: self) }
    }

    /// The time at which the next turn begins; nil for none.
    var turnsAt: Tick? {
        if !inbox.isEmpty { return max(busyUntil, world.now) }
        guard let wake else { return nil }
        let seconds = wake.seconds(since: moment)
        guard seconds < 1e9 else { return nil }
        return max(busyUntil, world.now + max(0, Tick(seconds * 1_000_000) + 1))
    }

    func post(_ input: EngineInput) { if !isDead { inbox.append(input) } }

    /// Does something after so many seconds, if the daemon is still there.
    func after(_ seconds: Double, _ body: @escaping () -> Void) {
        world.after(seconds) { [weak self] in if self?.isDead == false { body() } }
    }

    /// Sources hear of events ten times a second.
    func eventsAreOut() {
        guard !tellsSources, !world.scenario.lists.isEmpty else { return }
        tellsSources = true
        sources.later(0.1) { [unowned self] in
            tellsSources = false
            sources.jobsMoved()
        }
    }

    /// Counts something that the daemon does to the outside; returns false if it has been killed before that.
    func acts() -> Bool {
        guard !isDead else { return false }
        actions += 1
        guard let left = actionsLeft else { return true }
        guard left > 0 else {
            die()
            return false
        }
        actionsLeft = left - 1
        return true
    }

    /// Ends the daemon at once.
    func die() {
        guard !isDead else { return }
        isDead = true
        documents.leave()
    }

    /// Ends the daemon as it should be ended.
    func settle() throws {
        sources.leave()
        transfers.end()
        detectors.end()
        try turn()
        try core?.settle(now: moment)
        core?.abandon()
        isDead = true
        documents.leave()
    }
}
