import JobCore
import JobStore
import Synchronization
import TestSupport
import Testing

@testable import JobEngine

extension JobStore: StorePort {}

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
        complain: @escaping (String) -> Void = { Issue.record("\($0)") }
    ) throws {
        directory = try TemporaryDirectory()
        self.configuration = configuration
        self.complain = complain
        store = FaultyStore(try JobStore(path: directory.path("facefetch.sqlite")))
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
            bus: bus
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
        return try core.turn(inputs, now: now)
    }

    /// Posts a batch, and takes turns until it is answered.
    func submit(
        _ urls: [String],
        key: Submission.Idempotency? = nil,
        headers: [RequestHeader] = [],
        by user: UInt32? = nil
    ) throws -> Result<AcceptedBatch, ControlError> {
        let items = try urls.map { NewJob(url: try JobURL($0), headers: headers) }
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

/// What somebody was answered.
final class Answer<Value: Sendable>: Sendable {
    private let given = Mutex<Result<Value, ControlError>?>(nil)

    var value: Result<Value, ControlError>? { given.withLock { $0 } }

    var give: EngineInput.Reply<Value> { { result in self.given.withLock { $0 = result } } }
}

/// Takes notes of everything the engine asks of the outside.
final class Outside: TransferPort, DocumentPort, DetectionPort, EventSink {
    struct Notes {
        var started: [TransferRequest] = []
        var confirmed: [JobID] = []
        var grown: [JobID: Int64] = [:]
        var stopped: [JobID] = []
        var synced: [JobID] = []
        var freeBytes: Int64 = 1 << 40
        var sealed: [JobID] = []
        var published: [JobID] = []
        var hashing: [JobID] = []
        var discarded: [JobID] = []
        var detecting: [JobID] = []
        var withdrawn: [JobID] = []
        var engines: [DetectionEngine?] = []
        var identity: DetectorIdentity? = DetectorIdentity(engine: "haar", parameters: "p")
        var events: [JobEvent] = []
        var lengths: [JobID: Int64] = [:]
        var marks: [String: FileMark] = [:]
        var publications: [JobID: Publication] = [:]
        /// What was done about the store's room, in order.
        var room: [String] = []
        var stopsInTime = true
    }

    private let notes = Mutex(Notes())

    /// What has been asked for so far.
    var all: Notes { notes.withLock { $0 } }
    var lines: [String] { all.events.map { "\($0.job) \($0.message)" } }

    func forget() {
        notes.withLock { notes in
            var fresh = Notes()
            fresh.lengths = notes.lengths
            fresh.marks = notes.marks
            fresh.freeBytes = notes.freeBytes
            fresh.publications = notes.publications
            fresh.identity = notes.identity
            notes = fresh
        }
    }

    func change(_ body: (inout Notes) -> Void) { notes.withLock { body(&$0) } }

    func start(_ requests: [TransferRequest]) { change { $0.started += requests } }
    func confirm(_ jobs: [JobID]) { change { $0.confirmed += jobs } }
    func partialBegins(_ job: JobID, at length: Int64) { change { $0.grown[job] = nil } }
    func partialGrew(_ job: JobID, to length: Int64) { change { $0.grown[job] = length } }
    func stop(_ jobs: [JobID]) { change { $0.stopped += jobs } }
    func holdWriting() -> Bool {
        change { $0.room.append("hold") }
        return all.stopsInTime
    }
    func goOnWriting() { change { $0.room.append("go on") } }
    func partialPath(of job: JobID) -> String { "/p/\(job.rawValue).part" }
    func partialLength(of job: JobID) -> Int64? { all.lengths[job] }
    func sync(_ job: JobID) { change { $0.synced.append(job) } }
    func syncNow(_ job: JobID) -> Int64? { all.lengths[job] }
    func seal(_ job: JobID, wantedName: String, mustHash: Bool) { change { $0.sealed.append(job) } }
    func hash(_ job: JobID, _ document: Document) { change { $0.hashing.append(job) } }
    func publish(_ job: JobID, _ reservation: Job.Reservation, wantedName: String) {
        change { $0.published.append(job) }
    }
    func discardPartial(of job: JobID) { change { $0.discarded.append(job) } }
    func publication(of job: JobID, _ reservation: Job.Reservation) -> Publication {
        all.publications[job] ?? .lost
    }
    func mark(ofDocument path: String) -> FileMark? { all.marks[path] }
    func freeBytes() -> Int64? { all.freeBytes }
    var identity: DetectorIdentity? { all.identity }
    func submit(_ request: DetectionRequest) {
        change { notes in
            notes.detecting.append(request.job)
            notes.engines.append(request.engine)
        }
    }
    func withdraw(_ job: JobID) { change { $0.withdrawn.append(job) } }
    func append(_ lines: EventLines) { change { $0.events += lines.events } }
}

/// The real store, until a test wants its disk to be full or broken.
final class FaultyStore: StorePort {
    let real: JobStore
    private let fault = Mutex<StoreFailure?>(nil)
    private let count = Mutex(0)

    init(_ real: JobStore) { self.real = real }

    var commits: Int { count.withLock { $0 } }
    func fail(with failure: StoreFailure?) { fault.withLock { $0 = failure } }

    func commit(_ changes: StoreChanges) throws(StoreFailure) {
        if let failure = fault.withLock({ $0 }) { throw failure }
        try real.commit(changes)
        count.withLock { $0 += 1 }
    }

    /// What filling the reserve comes to, from the next on; and what is heard of the room.
    let fills = Mutex<[StoreRoom.Fill]>([])
    let isHelpedByReserve = Mutex(false)
    let heard = Mutex<@Sendable (String) -> Void>({ _ in })

    func releaseReserve() {
        heard.withLock { $0 }("release")
        if isHelpedByReserve.withLock({ $0 }) { fail(with: nil) }
    }

    func fillReserve() -> StoreRoom.Fill {
        heard.withLock { $0 }("fill")
        return fills.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .full }
    }

    func storedState() throws(StoreFailure) -> StoredState { try real.storedState() }
    func jobs(_ ids: [JobID]) throws(StoreFailure) -> [Job] { try real.jobs(ids) }
    func submitter(of job: JobID) throws(StoreFailure) -> UInt32? { try real.submitter(of: job) }
    func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID] { try real.jobIDs(in: states) }
    func detection(
        ofBytes sha256: String,
        by detector: DetectorIdentity
    ) throws(StoreFailure) -> (job: JobID, result: DetectionResult)? {
        try real.detection(ofBytes: sha256, by: detector)
    }
    func acceptedBatch(
        idempotencyKey: String,
        of user: UInt32?
    ) throws(StoreFailure) -> (batch: Batch, jobs: [JobID], bodyDigest: String)? {
        try real.acceptedBatch(idempotencyKey: idempotencyKey, of: user)
    }
}
