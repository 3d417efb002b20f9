import DetectorProtocol
import ExportFormats
import Glibc
import SmallFiles

/// The processes that make copies, each a picture at a time.
final class CopyCrew {
    /// The outcome for a job's picture.
    enum Outcome {
        /// A worker has answered.
        case answer(CopyResponse)
        /// The worker has died of it.
        case crashed
    }

    /// After so many pictures a worker is replaced: it has a limit on what it may take of the processors.
    private static let picturesOfOne = 5000

    private let program: String
    private let arguments: [String]
    private let size: Int
    private var workers: [CopyWorker] = []
    private var folders: Set<String> = []

    /// A crew without any process yet.
    init(program: String, arguments: [String], size: Int) {
        (self.program, self.arguments, self.size) = (program, arguments, size)
    }

    /// Gives a picture to a worker as soon as one has time; `handle` gets what is done meanwhile.
    ///
    /// - Parameters:
    ///   - waiting: How many pictures are known to follow, for which workers are worth being started.
    ///   - signals: A descriptor that ends the waiting when it can be read.
    /// - Returns: Whether it was given.
    /// - Throws: ``ClientError`` if no worker can be started.
    func give(
        _ request: CopyRequest,
        of job: ExportedJob,
        waiting: Int,
        signals: Int32,
        handle: (Outcome, ExportedJob) throws -> Void
    ) throws -> Bool {
        let folder = InnerPath(request.path, folder: job.folder).directory
        folders.insert(folder)
        while true {
            if let worker = workers.first(where: { $0.isIdle && !$0.isRetired }) {
                if worker.folders.contains(folder), worker.count < Self.picturesOfOne {
                    // If it has gone, its output says so.
                    _ = try worker.give(request, of: job)
                    return true
                }
                worker.retire()
            }
            let busy = workers.count { $0.job != nil }
            if workers.count(where: { !$0.isRetired }) < min(size, busy + 1 + waiting) {
                workers.append(try CopyWorker(program, arguments, folders: folders))
                continue
            }
            guard try wait(signals: signals, handle: handle) else { return false }
        }
    }

    /// Has one picture copied, and waits for that; nil if a signal came before.
    ///
    /// - Throws: ``ClientError`` if no worker can be started.
    func copy(_ request: CopyRequest, of job: ExportedJob, signals: Int32) throws -> Outcome? {
        var outcome: Outcome?
        guard
            try give(request, of: job, waiting: 0, signals: signals, handle: { found, _ in outcome = found })
        else { return nil }
        while outcome == nil {
            guard try wait(signals: signals, handle: { found, _ in outcome = found }) else { break }
        }
        return outcome
    }

    /// Waits until all pictures are dealt with, and lets the workers end.
    ///
    /// - Returns: False if a signal came before that.
    /// - Throws: ``ClientError`` if the copies may not survive a power cut.
    func finish(signals: Int32, handle: (Outcome, ExportedJob) throws -> Void) throws -> Bool {
        while workers.contains(where: { $0.job != nil }) {
            guard try wait(signals: signals, handle: handle) else { return false }
        }
        for worker in workers { worker.retire() }
        while !workers.isEmpty {
            guard try wait(signals: signals, handle: handle) else { return false }
        }
        return true
    }

    /// Gives the workers two seconds for what they have begun.
    func stop(handle: (Outcome, ExportedJob) throws -> Void) throws {
        let end = ContinuousClock.now + .seconds(2)
        while workers.contains(where: { $0.job != nil }), .now < end {
            _ = try wait(signals: -1, timeout: 100, handle: handle)
        }
        for worker in workers { worker.end(by: SIGKILL) }
        workers = []
    }

    /// Handles what has come; returns false if a signal did.
    private func wait(
        signals: Int32,
        timeout: Int32 = -1,
        handle: (Outcome, ExportedJob) throws -> Void
    ) throws -> Bool {
        var places = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
        places.append(pollfd(fd: signals, events: Int16(POLLIN), revents: 0))
        guard poll(&places, nfds_t(places.count), timeout) > 0 else { return true }
        for (worker, place) in zip(workers, places) where place.revents != 0 {
            switch worker.read() {
            case .answer(let answer, let job): try handle(.answer(answer), job)
            case .ended(let job): try remove(worker, job, handle)
            case .ready, nil: break
            }
        }
        return places.last?.revents == 0
    }

    private func remove(
        _ worker: CopyWorker,
        _ job: ExportedJob?,
        _ handle: (Outcome, ExportedJob) throws -> Void
    ) throws {
        workers.removeAll { $0 === worker }
        if let job { return try handle(.crashed, job) }
        guard worker.isRetired else {
            throw ClientError.unsuccessful(
                "facefetch-detector, which makes the copies, has ended too early; it says why, above."
            )
        }
        guard worker.hasEndedWell else {
            throw ClientError.unsuccessful(
                "The copies may not all be on the disk: facefetch-detector could not sync their folder."
            )
        }
    }
}
