import DetectorProtocol
import JobModel
import Logging
import Synchronization
import Vocabulary

/// Runs detector processes while there are documents, and gives each process one document at a time.
///
/// ``DetectorPoolMachine`` makes the decisions. Inputs come from any thread, change the machine under a
/// lock, and add its actions to a stream while holding the lock; ``run()`` carries them out in that
/// order.
public final class DetectorPool: Sendable {
    /// A report by the pool.
    public enum Report: Sendable {
        /// The result for a document.
        case ended(JobID, DetectionResult)
        /// A thumbnail of a document, a JPEG; the result follows.
        case thumbnail(DetectionRequest, [UInt8])
        /// A process was lost, with the document that it was looking at.
        case lost(ChildEnd, DetectionRequest?)
    }

    struct State {
        var machine: DetectorPoolMachine
        /// The detector's identities, first the one used when no engine is asked for.
        var identities: [DetectorIdentity] = []
        /// The identities that each living process has given.
        var greeted: [Process: [DetectorIdentity]] = [:]
        /// The last request to each process, until it has answered.
        var looks: [Process: Look] = [:]
        /// The answers that are to be delivered.
        var answers: [JobID: Answer] = [:]
        /// The processes that misbehaved, whose ends are no news.
        var blamed: Set<Process> = []
        var warned = false
        /// The reason why no process can start, until one has.
        var problem: String?
        /// The time to check the machine's deadlines: no later than the next one.
        var alarm: Duration?
    }

    /// The outcome of a look at a document.
    struct Answer {
        var result: DetectionResult
        var thumbnail: [UInt8]?
    }

    typealias Process = DetectorPoolMachine.ProcessID
    typealias Action = DetectorPoolMachine.Action

    let configuration: DetectorPoolConfiguration
    let logger: Logger
    let report: @Sendable (Report) -> Void
    let state: Mutex<State>
    private let voices: ChildVoices
    private let actions: AsyncStream<Action>
    private let perform: AsyncStream<Action>.Continuation
    private let alarms: AsyncStream<Void>
    private let alarmChanged: AsyncStream<Void>.Continuation
    private let clock = ContinuousClock()
    private let epoch = ContinuousClock.now

    /// Creates a pool, which starts processes for documents once it is run.
    ///
    /// `report` is called on any thread and must not block.
    public init(
        configuration: DetectorPoolConfiguration,
        logger: Logger,
        report: @escaping @Sendable (Report) -> Void
    ) {
        self.configuration = configuration
        self.logger = logger
        self.report = report
        voices = ChildVoices(of: "face detector", "face detectors", logger: logger)
        state = Mutex(State(machine: DetectorPoolMachine(limits: configuration.limits)))
        (actions, perform) = AsyncStream.makeStream()
        (alarms, alarmChanged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The detector used when no engine is asked for, known once a detector has been ready.
    public var identity: DetectorIdentity? { state.withLock { $0.identities.first } }

    /// The current state of the processes.
    public var status: DetectorPoolStatus {
        state.withLock { state in
            var status = state.machine.status
            status.problem = state.problem
            return status
        }
    }

    /// Notes why no process can start, which holds until one has.
    ///
    /// - Returns: False if that was known.
    public func complain(_ problem: String) -> Bool {
        state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
    }

    /// Submits a document.
    ///
    /// Documents beyond the number of workers wait in order, but callers should keep few of them.
    public func submit(_ request: DetectionRequest) {
        change { state, now in
            guard state.offers(request.engine) else { return [.report(request, .skipped)] }
            return state.machine.submit(request, now: now)
        }
    }

    /// Withdraws a document, for which no report will come.
    ///
    /// A detector that is busy with it is stopped.
    public func withdraw(_ job: JobID) {
        change { state, _ in
            state.answers[job] = nil
            return state.machine.withdraw(job)
        }
    }

    /// Withdraws all documents that no process has begun with, and returns them in order; no report will come for
    /// them.
    public func withdrawWaiting() -> [DetectionRequest] { state.withLock { $0.machine.withdrawWaiting() } }

    /// Has no further document looked at by the processes that there are now.
    public func replaceAll() { change { state, now in state.machine.replaceAll(now: now) } }

    /// Runs the processes until cancelled, then kills them without waiting for their pictures, and
    /// returns.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchDeadlines() }
            var processes: [Process: Child<DetectorSpeech>] = [:]
            for await action in actions {
                switch action {
                case .start(let id):
                    let process = Child(configuration.program, DetectorSpeech(), hear: voices.pass)
                    // Serial numbers only grow, so the last process in the same place is dead by now.
                    processes = processes.filter { $0.key.place != id.place }
                    processes[id] = process
                    group.addTask { await self.oversee(process, id) }
                case .send(let id, _):
                    guard let look = state.withLock({ $0.looks[id] }),
                        let frame = try? DetectorFrame.encode(DetectorRequest(look))
                    else { continue }
                    processes[id]?.send(frame)
                case .finish(let id):
                    processes[id]?.finish()
                case .kill(let id):
                    processes[id]?.kill()
                case .report(let request, let outcome):
                    tell(request, outcome)
                case .deliver(let request):
                    deliver(request)
                }
            }
            group.cancelAll()
        }
    }

    /// Changes the machine and queues its actions in order; returns them as well.
    @discardableResult
    func change(_ input: (inout State, Duration) -> [Action]) -> [Action] {
        state.withLock { state in
            let now = clock.now - epoch
            let actions = input(&state, now)
            // Within the lock, so that another thread's actions can't come between.
            for action in actions {
                if case .send(let id, let request) = action {
                    let wantsThumbnail = configuration.wantsThumbnail(request)
                    state.note(request, wantsThumbnail: wantsThumbnail, sentTo: id, now: now)
                }
                perform.yield(action)
            }
            guard let next = state.machine.nextDeadline, state.alarm.map({ next < $0 }) ?? true else {
                return actions
            }
            state.alarm = next
            alarmChanged.yield()
            return actions
        }
    }

    /// Tells the machine when its deadlines have come.
    ///
    /// Most deadlines are replaced with each picture before they come. The alarm isn't moved then, but
    /// set again after it has rung, because a cancelled sleep leaves its timer behind until it is due.
    private func watchDeadlines() async {
        var timer: Task<Void, Never>?
        for await _ in alarms {
            timer?.cancel()
            guard let alarm = state.withLock({ $0.alarm }) else { continue }
            timer = Task {
                guard (try? await clock.sleep(until: epoch + alarm)) != nil else { return }
                state.withLock { $0.alarm = nil }
                change { state, now in state.machine.advance(now: now) }
            }
        }
        timer?.cancel()
    }

    /// Runs one process to its end.
    private func oversee(_ process: Child<DetectorSpeech>, _ id: Process) async {
        let outcome = await process.run {
            self.said($0, by: id)
        } misbehaved: {
            self.misbehaved(id, $0)
        }
        guard !Task.isCancelled else { return }
        Orphans.reap()
        let hasLacked = outcome == .unexpected(.exited(DetectorExit.outOfResources))
        var request: DetectionRequest?
        var isNews = true
        change { state, now in
            state.greeted[id] = nil
            isNews = state.blamed.remove(id) == nil
            request = state.looks.removeValue(forKey: id)?.request
            return state.machine.ended(id, lacked: hasLacked, now: now)
        }
        switch outcome {
        case .killed, .misbehaved: break
        case .unexpected where hasLacked:
            logger.warning(
                "a face detector ended because the machine lacked what it named; its document waits for another"
            )
        case .finished: logger.debug("a face detector has ended because it had nothing to do")
        case .unexpected(let how):
            logger.warning("a face detector ended: \(how)")
            if isNews { report(.lost(how, request)) }
        }
    }

    /// Reports the result for a document that no process has answered for.
    private func tell(_ request: DetectionRequest, _ outcome: DetectionOutcome) {
        if outcome == .skipped {
            let engine = request.engine?.rawValue ?? ""
            logger.warning("the engine \(engine) was asked for, and no face detector has it")
            return report(.ended(request.job, DetectionResult(outcome: .skipped, engine: engine)))
        }
        logger.warning("face detection in \(request.path.debugDescription) ended as \(outcome.rawValue)")
        let identity = state.withLock { state in
            state.identities.first { request.engine == nil || $0.engine == request.engine?.rawValue }
        }
        let reason =
            outcome == .timedOut
            ? "took longer than \(configuration.timeout / .seconds(1)) s (detection.timeout)"
            : "ended the process that looked at it, or the one that decoded it"
        let seconds = outcome == .timedOut ? configuration.timeout / .seconds(1) : 0
        report(
            .ended(
                request.job,
                DetectionResult(
                    outcome: outcome,
                    reason: reason,
                    engine: identity?.engine ?? "",
                    parameters: identity?.parameters ?? "",
                    seconds: seconds
                )
            )
        )
    }
}
