import EngineSupport
import JobModel
import JobStore
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// The engine's core over a real store, with an outside that only takes notes.
final class EngineHarness {
    let directory: TemporaryDirectory
    let store: FaultyStore
    let outside = Outside()
    let bus = EventBus()
    var core: EngineCore
    var now = Moment(microseconds: 1_795_243_503_000_000)
    let configuration: JobEngineConfiguration
    private let complain: (String) -> Void

    /// An engine that has just started; what can't happen fails a test, unless that listens to it.
    init(
        _ configuration: JobEngineConfiguration = JobEngineConfiguration(),
        path: String? = nil,
        complain: @escaping (String) -> Void = { Issue.record("\($0)") }
    ) throws {
        directory = try TemporaryDirectory()
        self.configuration = configuration
        self.complain = complain
        store = FaultyStore(try JobStore(path: path ?? directory.path("facefetch.sqlite")))
        let outside = outside
        store.heard.withLock { $0 = { words in outside.change { $0.room.append(words) } } }
        core = try Self.core(store, outside, bus, configuration, now, complain)
    }

    private static func core(
        _ store: FaultyStore,
        _ outside: Outside,
        _ bus: EventBus,
        _ configuration: JobEngineConfiguration,
        _ now: Moment,
        _ complain: @escaping (String) -> Void
    ) throws -> EngineCore {
        let ports = EnginePorts(
            store: store,
            transfers: outside,
            documents: outside,
            detection: outside,
            sinks: [outside],
            bus: bus,
            contentsForgotten: { contents in outside.change { $0.forgottenContents += contents } },
            takeServed: { outside.takeServed() }
        )
        return try EngineCore(
            ports: ports,
            configuration: configuration,
            now: now,
            generator: SeededGenerator(seed: 1),
            complain: complain
        )
    }

    /// As after a crash: another engine over the same store.
    func restart(_ configuration: JobEngineConfiguration? = nil) throws {
        outside.forget()
        let configuration = configuration ?? self.configuration
        core = try Self.core(store, outside, bus, configuration, now, complain)
        try turn()
    }

    @discardableResult
    func turn(_ inputs: EngineInput...) throws -> Moment? {
        now = now.adding(seconds: 0.01)
        var wake = try core.turn(inputs, now: now)
        while let answer = outside.takeTry() {
            now = now.adding(seconds: 0.001)
            wake = try core.turn([.storageTried(answer.refusal)], now: now)
        }
        return wake
    }

    /// Posts a batch, and takes turns until it is answered.
    func submit(
        _ urls: [String],
        key: Submission.Idempotency? = nil,
        headers: [RequestHeader] = [],
        by user: UInt32? = nil
    ) throws -> Result<AcceptedBatch, ControlError> {
        let items = try urls.map { NewJob(url: try JobURL($0), options: JobOptions(headers: headers)) }
        let answer = Answer<AcceptedBatch>()
        try turn(.submit(Submission(items: items, submittedBy: user, idempotency: key), reply: answer.give))
        while answer.value == nil, core.isTakingIn { try turn() }
        return answer.value ?? .failure(.stopping)
    }

    func steer(_ action: SteeringAction, _ job: Int64) throws -> Result<Job, ControlError> {
        let answer = Answer<Job>()
        try turn(.steer(action, JobID(rawValue: job), reply: answer.give))
        return answer.value ?? .failure(.stopping)
    }

    func report(_ job: Int64, _ reports: TransferReport...) throws {
        try turn(.transfers(reports.map { (JobID(rawValue: job), $0) }))
    }

    func report(_ job: Int64, _ report: StorageReport) throws {
        try turn(.storage([(JobID(rawValue: job), report)]))
    }

    /// Takes a turn after as long as a change may be held back.
    func untilWritten() throws {
        now = now.adding(seconds: HeldChanges.longest)
        try turn()
    }

    /// Lets a job's transfer bring 100 bytes, and publishes them.
    ///
    /// Jobs have bytes of their own unless a content is named.
    func download(_ job: Int64, content: String? = nil) throws {
        try report(
            job,
            .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)),
            .progressed(bytes: 100),
            .ended(.completed(length: 100, lengthProven: true))
        )
        let mark = FileMark(inode: UInt64(job), length: 100, modified: job, changed: job + 1)
        let sealed = SealedPartial(
            inode: mark.inode,
            length: mark.length,
            sha256: content ?? String(job, radix: 16),
            modified: mark.modified
        )
        outside.change { $0.marks["/d/\(job).jpg"] = mark }
        try report(job, .sealed(sealed, path: "/p/\(job).part", freeName: "\(job).jpg"))
        try report(job, .published(path: "/d/\(job).jpg", mark: mark))
    }

    func stored(_ job: Int64) throws -> Job? { try store.jobs([JobID(rawValue: job)]).first }
}

/// The answer that somebody was given.
final class Answer<Value: Sendable>: Sendable {
    private let given = Mutex<Result<Value, ControlError>?>(nil)

    var value: Result<Value, ControlError>? { given.withLock { $0 } }

    var give: EngineInput.Reply<Value> { { result in self.given.withLock { $0 = result } } }
}
