import Foundation
import JobCore
import JobModel
import JobStore
import TestSupport
import Vocabulary

@testable import JobEngine

/// One history: the machine, the hosts and the people around one daemon after the other.
///
/// Everything of it is on one thread, and nothing waits: time is a number, which goes on to whatever is next.
final class World: @unchecked Sendable {
    let scenario: Scenario
    let directory: TemporaryDirectory
    /// The store's path, another one after each end of the daemon.
    private(set) var storePath: String
    private(set) var now: Tick = 0
    private var agenda = Agenda()
    var web: Web
    var disk = SimulatedDisk()
    let log = SimulatedLog()
    let rows: Rows
    let coverage = Coverage()
    private(set) lazy var promises = Promises(self)
    private(set) lazy var people = People(self)
    private(set) var life: Life?
    private var lives = 0
    /// The time until which the store's disk is full, in seconds.
    var storeIsFullUntil = -1.0
    /// The time until which the machine sleeps, in seconds.
    var suspendedUntil = -1.0
    /// The microseconds by which the wall clock is ahead of what it was set to first.
    var wallAhead: Int64 = 0
    private var bootedAt: Tick = 0
    private var boots = 1
    private var powerIsBackAt = -1.0
    var settings: SimulatedSettings
    private var requests: [JobURL: Int] = [:]
    private var pages: [Int: Int] = [:]
    /// The history, a line for each thing that happened; empty unless it is to be told.
    private(set) var story: [String] = []
    private let isTold: Bool
    /// A number that is the same for two histories only if the same happened in them.
    private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

    /// A world in which nothing has happened, with a store in this directory.
    init(_ scenario: Scenario, in directory: TemporaryDirectory, isTold: Bool = false) {
        self.scenario = scenario
        self.isTold = isTold
        self.directory = directory
        storePath = directory.path("0.sqlite")
        web = Web(seed: scenario.seed, hosts: scenario.hosts)
        settings = scenario.settings
        rows = Rows()
    }

    // MARK: - Time

    /// The seconds since the beginning.
    var seconds: Double { Double(now) / 1_000_000 }

    /// The machine's clocks.
    var reading: ClockReading {
        ClockReading(
            wall: Timestamp(microseconds: 1_795_243_503_000_000 + now + wallAhead),
            sinceBoot: now - bootedAt
        )
    }

    /// The id of the machine's present run.
    var boot: String { "boot-\(boots)" }

    func after(_ seconds: Double, _ body: @escaping () -> Void) {
        agenda.add(at: now + max(0, Tick(seconds * 1_000_000)), body)
    }

    /// Lives through the whole history, or until a promise is broken.
    func run() throws {
        rows.changed = { [unowned self] in promises.changed($0, $1) }
        for (index, timed) in scenario.steps.enumerated() {
            after(timed.at) { [unowned self] in people.take(timed.step, number: index) }
        }
        after(300) { [unowned self] in look() }
        try start()
        let end = Tick(scenario.length * 1_000_000)
        while !promises.isBroken {
            let turn = life?.turnsAt
            let next = agenda.next
            guard let at = [turn, next].compactMap(\.self).min(), at <= end else { break }
            now = max(now, at)
            if let next, next <= now {
                agenda.take()?()
            } else {
                do { try life?.turn() } catch { failed(error) }
            }
            if life?.isDead == true { bury() }
        }
        now = max(now, end)
        if !promises.isBroken { try promises.finish() }
    }

    private func look() {
        if let life { promises.look(life) }
        after(300) { [unowned self] in look() }
    }

    private func failed(_ error: any Error) {
        guard let life, !life.isDead else { return }
        promises.breaks(.possible, "the engine can't go on: \(error)")
    }

    // MARK: - Lives

    /// Starts the daemon.
    func start() throws {
        guard life == nil, seconds >= powerIsBackAt else { return }
        lives += 1
        tell("the daemon is started (life \(lives), \(boot))")
        let next = try Life(self, number: lives)
        life = next
        promises.begins(next)
        do { try next.begin() } catch { failed(error) }
        people.comeBack()
    }

    /// Starts the daemon after so many seconds, unless it runs by then.
    func restart(after seconds: Double) {
        after(seconds) { [unowned self] in
            do { try start() } catch { promises.breaks(.possible, "the daemon can't start: \(error)") }
        }
    }

    /// Kills the daemon at once.
    func kill() {
        life?.die()
        bury()
    }

    /// Ends the daemon as it should be ended.
    func stop() {
        do { try life?.settle() } catch { failed(error) }
        bury()
    }

    private func bury() {
        guard let life, life.isDead else { return }
        tell("the daemon has ended (life \(life.number), after \(life.actions) actions)")
        life.sources.leave()
        self.life = nil
        do { try leaveStore(life) } catch { promises.breaks(.stored, "\(error)") }
        people.isAlone()
        coverage.note("life ended")
        // A service manager starts it again, unless somebody does later.
        if !people.restarts { restart(after: 2) }
    }

    /// Leaves the store's files as a killed daemon does: with a log that the next one has to go through.
    private func leaveStore(_ life: Life) throws {
        let (old, new) = (storePath, directory.path("\(lives).sqlite"))
        let files = FileManager.default
        for end in ["", "-wal"] where files.fileExists(atPath: old + end) {
            try files.copyItem(atPath: old + end, toPath: new + end)
        }
        try life.store.real.close()
        for end in ["", "-wal", "-shm"] where files.fileExists(atPath: old + end) {
            try files.removeItem(atPath: old + end)
        }
        storePath = new
    }

    /// Cuts the machine's power.
    func losePower(for seconds: Double) {
        powerIsBackAt = self.seconds + seconds
        kill()
        disk.losePower()
        after(seconds) { [unowned self] in
            boots += 1
            bootedAt = now
        }
        restart(after: seconds + 10)
    }

    // MARK: - What is asked of the world

    var isLineDown: Bool { seconds < web.isDownUntil }

    /// Sends a request to a URL, and returns what it leads to.
    func ask(_ url: JobURL, resume: ResumePoint?) -> Reaction {
        requests[url, default: 0] += 1
        return web.reaction(to: url, resume: resume, count: requests[url] ?? 0, at: seconds)
    }

    /// Counts the pages that are asked for and read of a list.
    func countPage(of list: Int) -> Int {
        pages[list, default: 0] += 1
        return pages[list] ?? 0
    }

    /// Returns the bytes per second of a URL's host.
    func rate(of url: JobURL) -> Double { web.place(of: url)?.host.rate ?? 1000 }

    /// Returns whether a URL's host says how long its files are.
    func tellsLengths(_ url: JobURL) -> Bool { web.place(of: url)?.host.kind(at: seconds) != .lengthless }

    /// Returns whether the settings have a pace for a host.
    func isPaced(_ host: String) -> Bool { scenario.hosts.contains { $0.key == host && $0.pace != nil } }

    /// The engine's configuration by the present settings.
    var configuration: JobEngineConfiguration {
        let named = scenario.hosts.compactMap { host in
            host.pace.map { (host.name, HostLimits(pace: Pace(requests: $0.requests, per: $0.seconds))) }
        }
        return JobEngineConfiguration(
            transfers: TransferQueue.Limits(
                total: settings.total,
                perHost: settings.perHost,
                ahead: settings.ahead,
                trials: settings.trials
            ),
            hosts: HostRules(named: Dictionary(uniqueKeysWithValues: named)),
            detections: settings.detections,
            retry: RetryPolicy(maximumTries: settings.maximumTries),
            boot: boot,
            sliceSize: settings.sliceSize
        )
    }

    // MARK: - The story

    /// True if each line is printed as it happens, for a history that has no end.
    private static let isToldAtOnce = ProcessInfo.processInfo.environment["SIMULATE_STORY"] == "live"

    /// Tells of something that has happened.
    func tell(_ words: @autoclosure () -> String) {
        let line = words()
        for byte in line.utf8 { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3 }
        fingerprint = (fingerprint ^ UInt64(bitPattern: now)) &* 0x100_0000_01B3
        guard isTold else { return }
        story.append("\(Self.time(now)) \(line)")
        if Self.isToldAtOnce { print(story.last ?? "") }
    }

    private static func time(_ tick: Tick) -> String {
        let (seconds, rest) = tick.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = { (number: Int64, count: Int) in
            String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
        }
        return "\(seconds / 86_400)d \(digits(seconds / 3600 % 24, 2)):\(digits(seconds / 60 % 60, 2)):"
            + "\(digits(seconds % 60, 2)).\(digits(rest / 1000, 3))"
    }
}
