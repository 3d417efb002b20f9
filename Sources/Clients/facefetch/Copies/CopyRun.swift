import DetectorProtocol
import ExportFormats
import Glibc
import Sidecars
import Vocabulary

/// Copies of pictures, from the first job to the last.
final class CopyRun {
    private let jobs: EndedJobs
    private let kind: CopyKind
    private let crew: CopyCrew
    private let signals: SignalPipe
    /// True if what earlier runs have left may be of other faces than those that are known now.
    private let isReplacing: Bool
    private let report: CopyReport
    /// The reason why no further copy can be written.
    private var end: String?

    /// Prepares copies of the pictures of jobs.
    init(jobs: EndedJobs, kind: CopyKind, isReplacing: Bool, crew: CopyCrew, signals: SignalPipe) {
        (self.jobs, self.kind, self.crew, self.signals) = (jobs, kind, crew, signals)
        self.isReplacing = isReplacing
        report = CopyReport(kind)
    }

    /// True if something could not be copied.
    var hasFailures: Bool { report.failures > 0 || end != nil }

    /// Makes all copies; returns the number of the signal that ended it before.
    ///
    /// - Throws: ``ClientError``; what was made by then stays.
    func run() throws -> Int32? {
        var ended: Int32?
        do {
            try jobs.forEachPage(after: jobs.filter.endedAfter ?? 0) { page, items in
                report.expect(page.total)
                for (index, item) in items.enumerated() {
                    guard Self.isPresent(item.job) else {
                        report.skip()
                        continue
                    }
                    guard let request = try request(item.job) else { continue }
                    let isGiven = try crew.give(
                        request,
                        of: item.job,
                        waiting: items.count - index - 1,
                        signals: signals.descriptor,
                        handle: handle
                    )
                    if !isGiven { ended = signals.drain().first ?? SIGINT }
                    guard ended == nil, end == nil else { return false }
                }
                return true
            }
            if ended == nil, end == nil, try !crew.finish(signals: signals.descriptor, handle: handle) {
                ended = signals.drain().first ?? SIGINT
            }
            if ended != nil || end != nil { try crew.stop(handle: handle) }
        } catch {
            report.wipe()
            throw error
        }
        try report.finish(ended == nil ? end : "stopped; run it again to go on")
        return ended
    }

    /// Returns whether a job is what its place in the list says.
    ///
    /// One that came to something else since is listed there as well, or will be.
    private static func isPresent(_ job: ExportedJob) -> Bool {
        guard let ending = job.ending, ending != job.state else { return true }
        // It is being looked at; its document is whole.
        return ending == "stored" && job.state == "detecting"
    }

    /// Returns the request to a worker for a job; nil if there is nothing to do, or no way to do it.
    private func request(_ job: ExportedJob) throws -> CopyRequest? {
        var request = CopyRequest(id: job.id, path: job.path ?? "", name: job.name, mark: "-\(JobID(job.id))")
        request.sha256 = job.sha256
        if let picture = job.detection, picture.isCounted {
            (request.width, request.height) = (picture.width, picture.height)
            request.faces = picture.faces.prefix(DetectorResponse.maximumFaceCount).map { $0.message }
        }
        if kind != .redacted {
            guard let faces = request.faces else {
                try report.fail(job, Self.uncounted(job))
                return nil
            }
            guard request.width != nil, request.height != nil else {
                try report.fail(job, "its size isn't known: facefetch detect \(JobID(job.id))")
                return nil
            }
            if kind != .annotated, faces.isEmpty, !isReplacing {
                report.pass()
                return nil
            }
            if kind == .aligned, faces.contains(where: { $0.landmarks?.count != 5 }) {
                try report.fail(
                    job,
                    "its faces were found by \(job.detection?.engine.safeForTerminal ?? "haar"), which doesn't tell where eyes, "
                        + "nose and mouth are: facefetch detect \(JobID(job.id)) --engine yunet"
                )
                return nil
            }
        }
        do throws(StoredDocument.Unusable) {
            _ = try StoredDocument(job)
        } catch {
            let reason = SidecarOutcome.Reason.document(error)
            try report.fail(job, reason.words(job: job.id) { $0.safeForTerminal })
            return nil
        }
        return request
    }

    private static func uncounted(_ job: ExportedJob) -> String {
        job.detection?.outcome == "unreadable"
            ? "it is not a picture that can be read"
            : "its faces have not been counted: facefetch detect \(JobID(job.id))"
    }

    private func handle(_ outcome: CopyCrew.Outcome, _ job: ExportedJob) throws {
        switch outcome {
        case .crashed: try report.fail(job, "the process that made its copy has crashed")
        case .answer(let answer):
            for name in answer.surplus ?? [] { report.note(surplus: name) }
            let message = answer.message?.safeForTerminal ?? "facefetch-detector doesn't say why"
            switch answer.outcome {
            case .made where answer.file == nil: report.pass()
            case .made: try report.add(job, answer)
            case .failed: try report.fail(job, message)
            case .stopped:
                try report.fail(job, message)
                end = "stopped, since nothing more can be written there; run it again to go on"
            }
        }
    }
}

extension ExportedFace {
    /// The face as it is described to a worker.
    fileprivate var message: Face {
        Face(
            x: box.x,
            y: box.y,
            width: box.width,
            height: box.height,
            confidence: confidence,
            landmarks: landmarks?.map { place in
                Face.Point(
                    x: Int(exactly: place.x.rounded()) ?? 0,
                    y: Int(exactly: place.y.rounded()) ?? 0
                )
            }
        )
    }
}
