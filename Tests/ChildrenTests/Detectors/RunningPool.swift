import JobModel
import Logging
import Synchronization
import Vocabulary

@testable import Children

/// A pool at work, and what it has reported.
struct RunningPool {
    let pool: DetectorPool
    private let task: Task<Void, Never>
    private let reports: AsyncStream<(JobID, DetectionResult)>
    /// The thumbnails that have come.
    let thumbnails: Thumbnails
    /// The processes that were lost.
    let losses: Losses

    /// Thumbnails by job.
    final class Thumbnails: Sendable {
        private let kept = Mutex<[Int64: [UInt8]]>([:])

        var all: [Int64: [UInt8]] { kept.withLock { $0 } }

        func add(_ jpeg: [UInt8], of job: JobID) { kept.withLock { $0[job.rawValue] = jpeg } }
    }

    /// Processes that were lost, each with the job whose document it was looking at.
    final class Losses: Sendable {
        private let kept = Mutex<[(end: ChildEnd, job: Int64?)]>([])

        var all: [(end: ChildEnd, job: Int64?)] { kept.withLock { $0 } }

        func add(_ end: ChildEnd, at request: DetectionRequest?) {
            kept.withLock { $0.append((end, request?.job.rawValue)) }
        }
    }

    init(_ configuration: DetectorPoolConfiguration, logger: Logger = .quiet) {
        let (reports, report) = AsyncStream.makeStream(of: (JobID, DetectionResult).self)
        self.reports = reports
        let thumbnails = Thumbnails()
        self.thumbnails = thumbnails
        let losses = Losses()
        self.losses = losses
        let pool = DetectorPool(configuration: configuration, logger: logger) { ended in
            switch ended {
            case .ended(let job, let result): report.yield((job, result))
            case .thumbnail(let request, let jpeg): thumbnails.add(jpeg, of: request.job)
            case .lost(let end, let request): losses.add(end, at: request)
            }
        }
        self.pool = pool
        task = Task { await pool.run() }
    }

    init(
        _ detector: ScriptedDetector,
        workers: Int = 1,
        timeout: Duration = .seconds(60),
        recycleAfter: Int = 1000,
        idleTime: Duration = .seconds(30),
        logger: Logger = .quiet
    ) {
        self.init(
            DetectorPoolConfiguration(
                executable: detector.executable,
                arguments: [],
                workers: workers,
                timeout: timeout,
                recycleAfter: recycleAfter,
                idleTime: idleTime
            ),
            logger: logger
        )
    }

    func submit(_ job: Int64, _ path: String, engine: DetectionEngine? = nil) {
        pool.submit(DetectionRequest(job: JobID(rawValue: job), path: path, engine: engine))
    }

    /// Waits for so many reports.
    func results(_ count: Int) async -> [Int64: DetectionResult] {
        var results: [Int64: DetectionResult] = [:]
        for await (job, result) in reports {
            results[job.rawValue] = result
            if results.count == count { break }
        }
        return results
    }

    /// Stops the pool and waits until it has returned.
    func stop() async {
        task.cancel()
        await task.value
    }
}
