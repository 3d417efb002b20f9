import EngineSupport
import JobCore
import JobEngine
import JobModel
import JobStore
import SmallFiles
import Synchronization
import TestSupport
import Vocabulary

/// The engine that the daemon runs, over a real store in a directory of its own.
///
/// Nobody fetches or looks at pictures: what transfers, documents and detectors would tell, tests say.
/// It has one permit, so the first job is downloading and the others are queued.
final class RunningEngine: Sendable {
    /// The moment that its clocks show at the beginning.
    static let start = Moment(microseconds: 1_795_243_503_000_000)

    let engine: JobEngine
    let store: FaultyStore
    let outside = Outside()
    let queries: CountedQueries
    private let clock = MovedClock()
    private let directory: TemporaryDirectory
    private let lastEvent = Mutex<Int64>(0)

    /// An engine that has begun to work.
    init(
        engines: Set<DetectionEngine> = [.haar],
        historyLimit: Int = JobStore.defaultHistoryLimit
    ) async throws {
        directory = try TemporaryDirectory()
        store = FaultyStore(
            try JobStore(path: directory.path("facefetch.sqlite"), historyLimit: historyLimit)
        )
        queries = CountedQueries(store.real)
        let clock = clock
        engine = JobEngine(now: Self.start)
        try await engine.start(
            store: store,
            transfers: outside,
            documents: outside,
            detection: outside,
            sinks: [outside],
            configuration: JobEngineConfiguration(
                transfers: TransferQueue.Limits(total: 1, perHost: 1),
                engines: engines
            ),
            clock: SteadyClock(goingOnWith: nil, boot: nil, reading: clock.reading),
            reading: { clock.reading }
        )
    }

    /// The moment that its clocks show.
    var now: Moment { Moment(microseconds: clock.reading.wall.microseconds) }

    /// Lets time go by.
    func pass(seconds: Double) { clock.pass(seconds: seconds) }

    /// Returns when all that has been told so far is durable, and can be seen.
    func settle() async throws {
        // As long as a change may be held back.
        pass(seconds: 0.2)
        _ = try await engine.steerAll(.prioritize(0))
    }

    // MARK: What the outside tells

    /// A job's transfer has brought so many bytes.
    func arrive(_ job: Int64, bytes: Int64, of total: Int64) async throws {
        let id = JobID(rawValue: job)
        try await settle()
        let start = TransferStart(mode: .fresh, offset: 0, total: total, validator: nil)
        engine.received([(id, TransferReport.began(start)), (id, .progressed(bytes: bytes))])
        try await settle()
    }

    /// A job's transfer has ended.
    func end(_ job: Int64, _ end: TransferEnd) async throws {
        try await settle()
        engine.received([(JobID(rawValue: job), TransferReport.ended(end))])
        try await settle()
    }

    /// A job's file has come, as `/documents/N.jpg` or under another path, where it is if it is there.
    func store(_ job: Int64, bytes: Int64 = 1000, at path: String? = nil, sha256: String? = nil) async throws
    {
        let id = JobID(rawValue: job)
        let found = path.flatMap { InnerPath($0).status() }.map { FileMark($0) }
        let bytes = found?.length ?? bytes
        try await arrive(job, bytes: bytes, of: bytes)
        try await end(job, .completed(length: bytes, lengthProven: true))
        let mark = found ?? FileMark(inode: UInt64(job), length: bytes, modified: job, changed: job)
        let sha256 = sha256 ?? String(repeating: "0", count: 64 - "\(job)".count) + "\(job)"
        let sealed = SealedPartial(inode: mark.inode, length: bytes, sha256: sha256, modified: mark.modified)
        let document = path ?? "/documents/\(job).jpg"
        outside.change { $0.marks[document] = mark }
        let partial = outside.partialPath(of: id)
        engine.received([(id, StorageReport.sealed(sealed, path: partial, freeName: "\(job).jpg"))])
        try await settle()
        engine.received([(id, StorageReport.published(path: document, mark: mark))])
        try await settle()
    }

    /// A detector has looked at a job's document.
    func look(
        _ job: Int64,
        faces: [Face],
        picture: SeenPicture? = nil,
        engine name: String = "haar"
    ) async throws {
        engine.detected(
            JobID(rawValue: job),
            DetectionResult(
                outcome: .counted,
                faces: faces,
                picture: picture,
                engine: name,
                parameters: "p",
                seconds: 0.1
            )
        )
        try await settle()
    }

    // MARK: What happens

    /// Makes events happen that no job has to live through: in the store first, then on the bus, as
    /// the engine does.
    ///
    /// Not together with jobs that the engine knows, whose events have the same ids.
    ///
    /// - Parameter inTurns: True to have each in a row of the store, as events of two jobs in turns have.
    @discardableResult
    func happen(
        _ kinds: [JobEvent.Kind],
        job: Int64 = 1,
        batch: Int64 = 1,
        inTurns: Bool = false
    ) throws -> [JobEvent] {
        var changes = StoreChanges()
        changes.events = lastEvent.withLock { last in
            kinds.map { kind in
                last += 1
                return JobEvent(
                    id: last,
                    time: Self.start.adding(seconds: 1),
                    batchCreatedAt: Self.start,
                    batch: BatchID(rawValue: batch),
                    job: JobID(rawValue: inTurns ? job + last % 2 : job),
                    kind: kind
                )
            }
        }
        try store.real.commit(changes)
        engine.events.publish(changes.events.map { .event($0) })
        return changes.events
    }

    /// Writes batches into the store, of one paused job each, that the engine doesn't know.
    func addHeldBatches(_ count: Int64) throws {
        var changes = StoreChanges()
        for number in 1...count {
            let id = JobID(rawValue: number)
            let batch = BatchID(rawValue: number)
            var job = Job(
                id: id,
                batch: batch,
                createdAt: Self.start,
                url: try JobURL("http://example.org/\(number).jpg"),
                name: "\(number).jpg"
            )
            job.state = .paused
            changes.newBatches.append(
                .init(id: batch, createdAt: Self.start, submittedBy: nil, jobs: id...id, isVisible: true)
            )
            changes.newJobs.append(job)
        }
        try store.real.commit(changes)
    }
}

/// The machine's clock, moved: it begins at ``RunningEngine/start``, and tests let hours go by.
private final class MovedClock: Sendable {
    private let begun = ContinuousClock.now
    private let passed = Mutex(0.0)

    func pass(seconds: Double) { passed.withLock { $0 += seconds } }

    var reading: ClockReading {
        let seconds = begun.duration(to: .now) / .seconds(1) + passed.withLock { $0 }
        let wall = RunningEngine.start.adding(seconds: seconds).wall
        return ClockReading(wall: wall, sinceBoot: wall.microseconds)
    }
}
