import JobModel
import Logging
import Synchronization
import TestSupport
import Vocabulary

@testable import CurlTransfer

/// An origin, a transfer thread and a directory for partials, for one test.
final class TransferBench: Sendable {
    let origin: Origin
    let directory: TemporaryDirectory
    private let transfer: CurlTransfer
    private let log = ReportLog()
    private let storekeeper = Storekeeper()
    private let nextJob = Mutex<Int64>(0)

    private init(_ configuration: CurlTransferConfiguration, notesSegments: Bool) throws {
        origin = try Origin.start()
        directory = try TemporaryDirectory()
        let table = notesSegments ? SegmentTable(path: directory.path("segments"), boot: "one") : nil
        let (log, storekeeper) = (log, storekeeper)
        let logger = Logger(label: "test")
        transfer = try CurlTransfer(configuration: configuration, segmentTable: table, logger: logger) {
            turn in
            log.add(turn)
            storekeeper.accept(turn)
        }
        storekeeper.attach(transfer)
    }

    /// Confirms maps and restarts, as an engine does that has stored them.
    private final class Storekeeper: Sendable {
        private struct State {
            weak var transfer: CurlTransfer?
            /// The number of maps and restarts that the store still has room for.
            var room = Int.max
        }
        private let state = Mutex(State())

        func attach(_ transfer: CurlTransfer) { state.withLock { $0.transfer = transfer } }

        func limit(to room: Int) { state.withLock { $0.room = room } }

        func accept(_ turn: [(JobID, TransferReport)]) {
            for (job, report) in turn {
                switch report {
                case .kept, .restarting: break
                case .began, .progressed, .synced, .requested, .shared, .ended: continue
                }
                let transfer = state.withLock { state in
                    state.room -= 1
                    return state.room >= 0 ? state.transfer : nil
                }
                transfer?.confirm([job])
            }
        }
    }

    /// Has the store take only so many maps and restarts more.
    func limitStore(to changes: Int) { storekeeper.limit(to: changes) }

    /// Limits all transfers together, beside the configuration's limit.
    func limitRate(to rate: Int64?) { transfer.limitRate(to: rate) }

    /// Runs a test with a bench of its own, and stops everything after it.
    static func run(
        notesSegments: Bool = false,
        _ configure: (inout CurlTransferConfiguration) -> Void = { _ in },
        _ test: (TransferBench) async throws -> Void
    ) async throws {
        var configuration = CurlTransferConfiguration(userAgent: "facefetch-test/1", deniedNetworks: [])
        configure(&configuration)
        let bench = try TransferBench(configuration, notesSegments: notesSegments)
        defer {
            bench.transfer.shutdown()
            bench.origin.stop()
        }
        try await test(bench)
    }

    /// A transfer that was begun.
    struct Running: Sendable {
        let job: JobID
        let bench: TransferBench

        /// The end of the transfer, now or later.
        var end: TransferEnd? { get async { await bench.log.end(of: job) } }
        /// The reports so far.
        var reports: [TransferReport] { bench.log.reports(of: job) }
        /// The same, by the calls that brought it.
        var turns: [[TransferReport]] { bench.log.turns(of: job) }
        /// The body that was accepted last.
        var start: TransferStart? {
            reports.reversed().lazy.compactMap { if case .began(let start) = $0 { start } else { nil } }.first
        }
        /// The map that was last said to be on the disk for good.
        var kept: SegmentMap? {
            reports.reversed().lazy.compactMap { if case .kept(let map) = $0 { map } else { nil } }.first
        }
        /// Waits for a report that says at least so many bytes.
        func progress(of bytes: Int64) async {
            _ = await bench.log.first(of: job) {
                if case .progressed(let length) = $0 { length >= bytes } else { false }
            }
        }
        /// The map that a daemon would find if this one were killed now.
        var surviving: SegmentMap? {
            guard let total = start?.total else { return nil }
            return SegmentTable(path: bench.directory.path("segments"), boot: "one")
                .surviving(of: job, at: path, total: total, validator: .entityTag("\"v1\""))
        }
        private var path: String { bench.directory.path("\(job).part") }
        func stop() { bench.transfer.stop([job]) }
        /// The bytes on the disk.
        var partial: [UInt8] { (try? bench.directory.read("\(job).part")) ?? [] }
    }

    /// Begins a transfer of a path of the origin.
    func fetch(
        _ path: String,
        resume: ResumePoint? = nil,
        partial: [UInt8]? = nil,
        headers: [RequestHeader] = [],
        rateLimit: Int64? = nil,
        mayBuffer: Bool = false,
        turn: TransferTurn? = nil
    ) throws -> Running {
        try fetch(
            origin.jobURL(path),
            resume: resume,
            partial: partial,
            headers: headers,
            rateLimit: rateLimit,
            mayBuffer: mayBuffer,
            turn: turn
        )
    }

    /// Begins a transfer of any URL.
    func fetch(
        _ url: JobURL,
        resume: ResumePoint? = nil,
        partial: [UInt8]? = nil,
        headers: [RequestHeader] = [],
        rateLimit: Int64? = nil,
        path: String? = nil,
        mayBuffer: Bool = false,
        turn: TransferTurn? = nil
    ) throws -> Running {
        let request = try request(
            url,
            resume: resume,
            partial: partial,
            headers: headers,
            rateLimit: rateLimit,
            path: path,
            mayBuffer: mayBuffer,
            turn: turn
        )
        transfer.start([request])
        return Running(job: request.job, bench: self)
    }

    /// Begins transfers of small files, all in the same turn of the thread.
    func fetchTogether(_ urls: [JobURL]) throws -> [Running] {
        let requests = try urls.map { try request($0, mayBuffer: true) }
        transfer.start(requests)
        return requests.map { Running(job: $0.job, bench: self) }
    }

    private func request(
        _ url: JobURL,
        resume: ResumePoint? = nil,
        partial: [UInt8]? = nil,
        headers: [RequestHeader] = [],
        rateLimit: Int64? = nil,
        path: String? = nil,
        mayBuffer: Bool = false,
        turn: TransferTurn? = nil
    ) throws -> TransferRequest {
        let job = nextJob.withLock { next in
            next += 1
            return JobID(rawValue: next)
        }
        if let partial { try directory.write(partial, to: "\(job).part") }
        var request = TransferRequest(
            job: job,
            url: url,
            partialPath: path ?? directory.path("\(job).part"),
            resume: resume,
            headers: headers,
            rateLimit: rateLimit
        )
        request.mayBuffer = mayBuffer
        request.turn = turn
        return request
    }

    /// The first report of a job that fits, now or later.
    func report(
        of job: JobID,
        where isAwaited: @escaping @Sendable (TransferReport) -> Bool
    ) async
        -> TransferReport
    { await log.first(of: job, where: isAwaited) }

    /// Waits until the transfer thread has taken everything that was asked so far.
    func checkIn() async {
        await withCheckedContinuation { continuation in transfer.checkIn { continuation.resume() } }
    }

    /// Has the transfer thread stand still at a gate, once it has taken what was asked before.
    func stop(at gate: OriginGate) { transfer.checkIn { gate.pass() } }

    func reconfigure(_ configuration: CurlTransferConfiguration) { transfer.reconfigure(configuration) }
    func recall(_ jobs: [Running]) { transfer.recall(jobs.map(\.job)) }
    func holdWriting() -> Bool { transfer.holdWriting() }
    func confirm(_ job: JobID) { transfer.confirm([job]) }
    func shutdown() { transfer.shutdown() }
}

extension TransferEnd {
    /// The code of what it ended with, if it failed.
    var code: FailureCode? {
        switch self {
        case .interrupted(let failure, _), .hindered(let failure, _), .refused(let failure),
            .damaged(let failure):
            failure.code
        case .completed, .buffered, .mustRestart, .stopped, .unsent: nil
        }
    }

    var isTransient: Bool {
        switch self {
        case .interrupted, .hindered: true
        default: false
        }
    }
    var isRefusal: Bool { if case .refused = self { true } else { false } }
    var isMustRestart: Bool { if case .mustRestart = self { true } else { false } }
}
