import ControlAPI
import HTTPServer
import HTTPTypes
import JobModel
import NIOCore

extension RequestHandler {
    /// Answers `GET /v1/jobs/{id}/picture/SIZE`, and gives the work up when the connection is closed.
    func sendPicture(
        _ size: PictureSize,
        _ request: Request,
        _ admission: Admission,
        writer: consuming ResponseWriter,
        channel: any Channel
    ) async throws {
        let start = ContinuousClock.now
        let client = connections.client(of: channel)
        let reply = await answer(request) {
            let closed = connections.closed(channel)
            let call = try Call(request, admission.route, body: [], client: client, closed: closed)
            return try await call.whileWaited { try await picture(size, call) }
        }
        metrics.answered(status: reply.status.code, after: ContinuousClock.now - start)
        guard reply.body.readableBytes > UnreadAnswers.smallSize, !admission.headOnly else {
            return try await writer.write(reply, headOnly: admission.headOnly)
        }
        let id = unread.enter(reply.body.readableBytes, user: client?.user) { channel.close(promise: nil) }
        defer { unread.leave(id) }
        try await writer.write(reply)
        try await TakenWatcher.wait(for: channel, patience: configuration.idleTimeout)
    }

    private func picture(_ size: PictureSize, _ call: Call) async throws -> Reply {
        let found = try await reads(for: call).pass(.usual) { try await queries.job(call.job) }
        guard let job = found else { throw ProblemJSON.noSuchJob(call.job) }
        if job.isEvicted { return try await keptPicture(size, of: job) }
        // Even if the picture is at hand: a document that has been removed is no longer shown.
        let file = try await openDocument(of: job)
        let unreadable = ProblemJSON(
            .unreadable,
            "the document of job \(job.id.rawValue) can't be read as a picture"
        )
        switch job.detection?.outcome {
        case .unreadable, .crashed, .timedOut: throw unreadable
        case .counted, .skipped, nil: break
        }
        guard file.length > 0 else { throw unreadable }
        control.served(job)
        let tag = job.sha256.map { "\"\($0)\"" }
        if let tag, call[Parameters.ifNoneMatch]?.have(tag) ?? false {
            return Reply(status: .notModified, fields: [.eTag: tag], body: ByteBuffer())
        }
        let document = ShownDocument(
            job: job.id,
            path: job.path ?? "",
            sha256: job.sha256,
            mark: job.documentMark,
            user: call.user
        )
        switch await configuration.pictures.picture(of: document, size) {
        case .made(let bytes):
            var fields: HTTPFields = [.contentType: "image/jpeg", .cacheControl: "no-cache"]
            fields[.xContentTypeOptions] = "nosniff"
            fields[.eTag] = tag
            return Reply(status: .ok, fields: fields, body: ByteBuffer(bytes: bytes))
        case .unreadable: throw unreadable
        case .failed:
            return .problem(
                ProblemJSON(.busy, "no picture can be made now; ask again in some seconds"),
                fields: [.retryAfter: "5"]
            )
        }
    }

    /// Returns the picture that is left of a document that was removed to make room: in this size, or else in
    /// another.
    private func keptPicture(_ size: PictureSize, of job: Job) async throws -> Reply {
        guard let sha256 = job.sha256,
            let bytes = await configuration.pictures.kept(sha256, like: size)
        else { throw ProblemJSON.evicted(job.id) }
        var fields: HTTPFields = [.contentType: "image/jpeg", .cacheControl: "no-cache"]
        fields[.xContentTypeOptions] = "nosniff"
        return Reply(status: .ok, fields: fields, body: ByteBuffer(bytes: bytes))
    }
}
