import JobCore
import JobModel
import Vocabulary

@testable import JobEngine
@testable import SourceEngine

/// The people and programs that use the daemon, and whatever else the steps of a scenario do.
final class People {
    private unowned let world: World
    /// The batches of which nobody has heard that they were accepted, by their keys.
    private var unanswered: [String: Submission] = [:]
    /// The batches that were accepted, with the number of their jobs.
    private(set) var accepted: [Int: (batch: BatchID, jobs: [JobID])] = [:]
    /// The requests that wait for their answers, and when they were made.
    private(set) var waiting: [Int: Tick] = [:]
    private var serial = 0
    /// The lists for which there are to be sources.
    private var followed: [Int] = []
    /// True if a step has said when the daemon is started again.
    private(set) var restarts = false

    init(_ world: World) { self.world = world }

    /// Carries out a step.
    func take(_ step: Step, number: Int) {
        // A machine that sleeps is at nobody's service.
        let left = world.suspendedUntil - world.seconds
        guard left <= 0 else {
            return world.after(left + 1) { [weak self] in self?.take(step, number: number) }
        }
        world.coverage.note("step \(Coverage.label(step))")
        if !isQuiet(step) { world.tell("\(words(step))") }
        switch step {
        case .add(let batch, let items, let lease): add(batch, items, lease)
        case .steer(let steering, let place): steer(steering, place)
        case .steerAll(let steering): steerAll(steering)
        case .forget(let share): forget(share)
        case .gate(let open): ask { .setGate(open: open, reply: $0) }
        case .release(let host): release(host)
        case .reload(let settings):
            world.promises.reloads(world.settings)
            world.settings = settings
            world.life?.post(.reconfigure(world.configuration))
        case .look(let place, let count): look(place, count)
        case .renew(let batch):
            guard let id = accepted[batch]?.batch else { return }
            if let life = world.life { world.promises.renews(id, at: life.moment) }
            ask({ .renew(id, seconds: nil, reply: $0) }) { [unowned self] answer in
                guard case .success = answer, let life = world.life else { return }
                world.promises.renews(id, at: life.moment)
            }
        case .follow, .poll, .more, .pauseList: ask(step)
        case .kill, .powerCut, .stop: end(step)
        case .lineDown(let seconds): world.web.isDownUntil = world.seconds + seconds
        case .diskFull(let seconds): world.disk.isFullUntil = world.seconds + seconds
        case .diskHangs(let seconds): world.disk.hangsUntil = world.seconds + seconds
        case .diskReadOnly(let seconds): world.disk.isReadOnlyUntil = world.seconds + seconds
        case .storeFull(let seconds): world.storeIsFullUntil = world.seconds + seconds
        case .clockSet(let seconds): world.wallAhead += Tick(seconds * 1_000_000)
        case .suspend(let seconds):
            world.suspendedUntil = world.seconds + seconds
            world.life?.busyUntil = world.now + Tick(seconds * 1_000_000)
            world.life?.transfers.loseConnections(after: seconds + 1)
            world.life?.sources.sleep(for: seconds)
            world.promises.lists.sleeps(until: world.suspendedUntil)
        }
    }

    /// Asks something of a source.
    private func ask(_ step: Step) {
        switch step {
        case .follow(let list):
            followed.append(list)
            world.life?.sources.add(list)
        case .poll(let list): world.life?.sources.ask(.poll(fetchesMissing: false), of: list)
        case .more(let list): world.life?.sources.ask(.more, of: list)
        case .pauseList(let list, let seconds):
            world.life?.sources.ask(.pause(""), of: list)
            resume(list, after: seconds)
        default: break
        }
    }

    private func resume(_ list: Int, after seconds: Double) {
        world.after(seconds) { [weak self] in
            guard let self else { return }
            guard let life = world.life, world.seconds >= world.suspendedUntil else {
                return resume(list, after: 60)
            }
            life.sources.ask(.resume, of: list)
        }
    }

    private func isQuiet(_ step: Step) -> Bool { if case .look = step { true } else { false } }

    private func words(_ step: Step) -> String {
        guard case .add(let batch, let items, let lease) = step else { return "\(step)" }
        let hosts = Set(items.map(\.host)).sorted().map { "h\($0)" }.joined(separator: " ")
        return "add batch \(batch): \(items.count) jobs of \(hosts)" + (lease.map { ", lease \($0) s" } ?? "")
    }

    // MARK: - Requests

    /// Asks something of the daemon, of which there has to be an answer as long as it lives.
    private func ask<Value: Sendable>(
        _ input: (@escaping EngineInput.Reply<Value>) -> EngineInput,
        then: @escaping (Result<Value, ControlError>) -> Void = { _ in }
    ) {
        guard let life = world.life else { return }
        serial += 1
        let request = serial
        waiting[request] = world.now
        let heard = Heard { [weak self, weak life] (answer: Result<Value, ControlError>) in
            // Nobody hears what a dead daemon says.
            guard let self, let life, !life.isDead, waiting.removeValue(forKey: request) != nil else {
                return
            }
            then(answer)
        }
        life.post(input { heard.body($0) })
    }

    /// A closure that is called on the world's thread alone.
    private final class Heard<Value>: @unchecked Sendable {
        let body: (Value) -> Void
        init(_ body: @escaping (Value) -> Void) { self.body = body }
    }

    /// Has everybody lose the connection.
    func isAlone() { waiting = [:] }

    /// Asks again what was not answered, as clients do who have a key.
    func comeBack() {
        restarts = false
        for key in unanswered.keys.sorted() { submit(key) }
        for list in followed { world.life?.sources.add(list) }
    }

    private func add(_ batch: Int, _ items: [Step.Item], _ lease: Int?) {
        let jobs = items.compactMap { item -> NewJob? in
            guard let url = try? Web.url(host: item.host, path: item.path) else { return nil }
            return NewJob(url: url, priority: item.priority)
        }
        guard !jobs.isEmpty else { return }
        let key = "key-\(batch)"
        var submission = Submission(items: jobs, submittedBy: 1000, lease: lease)
        submission.idempotency = Submission.Idempotency(key: key, bodyDigest: key)
        unanswered[key] = submission
        submit(key)
    }

    private func submit(_ key: String) {
        guard let submission = unanswered[key], let batch = Int(key.dropFirst(4)) else { return }
        ask({ .submit(submission, reply: $0) }) { [unowned self] answer in
            switch answer {
            case .success(let given):
                unanswered[key] = nil
                accepted[batch] = (given.batch.id, given.jobs)
                world.promises.accepted(given, of: submission)
            case .failure(.stopping): break
            case .failure(.outOfSpace):
                world.coverage.note("refused for want of space")
                world.after(60) { [weak self] in self?.submit(key) }
            case .failure(let error): world.promises.breaks(.answers, "a batch was refused: \(error)")
            }
        }
    }

    private func steer(_ steering: Step.Steering, _ place: Int) {
        let action = action(steering)
        // Somebody may change their mind about what they have cancelled.
        let states = action.sensibleStates + (steering == .retry ? [.cancelled] : [])
        let jobs = world.rows.ids { states.contains($0.state) }
        guard !jobs.isEmpty, world.life != nil else { return }
        let job = jobs[place % jobs.count]
        world.promises.steers(job)
        ask { .steer(action, job, reply: $0) }
        if steering == .reconsider { ask { .steer(.cancel, job, reply: $0) } }
    }

    private func steerAll(_ steering: Step.Steering) {
        let action = action(steering)
        guard world.life != nil else { return }
        for job in world.rows.ids(where: { action.sensibleStates.contains($0.state) }) {
            world.promises.steers(job)
        }
        ask { .steerAll(action, reply: $0) }
    }

    private func action(_ steering: Step.Steering) -> SteeringAction {
        switch steering {
        case .pause: .pause
        case .resume: .resume
        case .cancel: .cancel
        case .retry: .retry(url: nil, by: 1000)
        case .raise: .prioritize(50)
        case .detect, .reconsider: .detect(engine: nil)
        }
    }

    private func forget(_ share: Double) {
        let ended = world.rows.ids { $0.state.isFinal }
        let jobs = Array(ended.prefix(Int(Double(ended.count) * share)))
        guard !jobs.isEmpty else { return }
        for job in jobs { world.promises.steers(job) }
        ask { .forget(jobs, reply: $0) }
    }

    private func release(_ host: Int) {
        let key = world.scenario.hosts[host].key
        world.promises.releases(key)
        ask({ .releaseHost(key, reply: $0) }) { [unowned self] answer in
            if case .success(.some) = answer { world.promises.released(key) }
        }
    }

    private func look(_ place: Int, _ count: Int) {
        let jobs = world.rows.ids { !$0.state.isFinal }
        guard !jobs.isEmpty, count > 0 else { return }
        let visible = [jobs[place % jobs.count]]
        let near = [jobs[(place + 1) % jobs.count]]
        ask { .attend(Attention.Client(user: 1000, name: "tab"), visible: visible, near: near, reply: $0) }
        world.after(10) { [weak self] in self?.look(place, count - 1) }
    }

    // MARK: - The daemon's ends

    private func end(_ step: Step) {
        guard let life = world.life else { return }
        switch step {
        case .kill(let actions, let seconds):
            guard actions == 0 else { return life.actionsLeft = actions }
            restarts = true
            world.kill()
            world.restart(after: seconds)
        case .powerCut(let seconds):
            restarts = true
            world.losePower(for: seconds)
        case .stop(let seconds):
            restarts = true
            world.stop()
            world.restart(after: seconds)
        default: break
        }
    }
}
