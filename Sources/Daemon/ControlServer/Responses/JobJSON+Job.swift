import ControlAPI
import JobEngine
import JobModel

extension JobJSON {
    /// Creates the JSON of a job: its durable state, and the progress of its transfer since.
    init(_ job: Job, live: LiveTransfer?, now: Moment) {
        let live = job.state == .downloading ? live : nil
        self.init(
            id: job.id.rawValue,
            batch: job.batch.rawValue,
            url: job.url.masked,
            state: .known(job.state),
            name: job.name,
            bytes: live?.bytes ?? job.bytes,
            attempts: job.attempts,
            priority: job.priority,
            createdAt: job.createdAt.wall.rfc3339,
            elapsed: (job.endedAt ?? now).elapsed(since: job.createdAt)
        )
        folder = job.shownFolder?.path
        path = job.path
        totalBytes = live?.total ?? job.totalBytes
        length = job.length.map { .known($0) }
        if length != nil { response = job.response.map { ResponseJSON($0, of: job) } }
        percent = totalBytes.map { Self.percent(of: bytes, in: $0) }
        bytesPerSecond = live?.bytesPerSecond
        sha256 = job.sha256
        if job.state == .waiting, let waiting = job.waiting {
            self.waiting = WaitingJSON(
                code: waiting.reason.code.rawValue,
                reason: waiting.reason.message,
                until: waiting.until.wall(asOf: now).rfc3339,
                isOwn: !job.waitsForOthers
            )
        }
        if job.state == .failed, let failure = job.failure {
            error = ErrorJSON(code: failure.code.rawValue, message: failure.message)
        }
        detection = job.detection.map(DetectionJSON.init)
        job.options.show(in: &self)
        finishedAt = job.endedAt?.wall.rfc3339
        evictedAt = job.evictedAt?.rfc3339
        isPinned = job.isPinned
        ended = job.ended
        ending = ended == nil ? nil : job.ending.map { .known($0) }
    }

    /// An ending of a job, with the job as it is now.
    init(_ ended: EndedJob, live: LiveTransfer?, now: Moment) {
        self.init(ended.job, live: live, now: now)
        self.ended = ended.number
        ending = .known(ended.ending)
        // While it is looked at again, the ending is that of the first look.
        if ended.ending == .done, ended.job.isLookedAtAgain {
            finishedAt = ended.job.finishedAt?.wall.rfc3339
        }
    }

    private static func percent(of bytes: Int64, in total: Int64) -> Int {
        guard total > 0 else { return 100 }
        return Int(min(100, max(0, Double(bytes) / Double(total) * 100)))
    }
}

extension JobJSON.ResponseJSON {
    /// Creates the JSON of what a server said of a job's file.
    init(_ response: ServerResponse, of job: Job) {
        self.init(
            finalURL: response.finalURL ?? job.url.masked,
            status: response.status,
            contentType: response.contentType,
            lastModified: response.lastModified?.rfc3339,
            etag: response.entityTag,
            robots: response.robots,
            receivedAt: response.receivedAt.rfc3339
        )
    }
}

extension DetectionJSON {
    /// Creates the JSON of a detection result.
    init(_ result: DetectionResult) {
        self.init(
            outcome: .known(result.outcome),
            faceCount: result.outcome == .counted ? result.faces.count : nil,
            faces: result.faces,
            width: result.picture?.width,
            height: result.picture?.height,
            orientation: result.picture?.orientation,
            format: result.picture?.format.rawValue,
            looks: result.looks,
            reason: result.reason,
            damaged: result.picture?.isDamaged == true ? true : nil,
            fingerprint: result.picture?.fingerprint?.hexadecimal,
            turned: result.picture?.turned,
            engine: APIWord(result.engine),
            parameters: result.parameters,
            sharedFrom: result.sharedFrom?.rawValue,
            seconds: result.seconds
        )
    }
}

extension Moment {
    /// Returns the seconds since a moment, never negative whatever the store holds.
    func elapsed(since moment: Moment) -> Double { max(0, seconds(since: moment)) }
}
