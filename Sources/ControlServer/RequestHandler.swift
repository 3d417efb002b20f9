import ControlAPI
import Crypto
import HTTPTypes
import Hummingbird
import HummingbirdCore
import JobCore
import JobEngine
import Logging
import NIOCore

/// Answers requests: from the head that came in to the last byte that goes out.
struct RequestHandler: Sendable {
    let configuration: ControlServerConfiguration
    let control: any JobControl
    let queries: any JobQueries
    let now: @Sendable () -> Timestamp
    let logger: Logger
    let stop: StopSignal
    let metrics: ServerMetrics
    let connections: ConnectionRegistry
    let frames: EventFrames
    let followers: Followers

    /// The answer was sent before the body had been read to its end, so the
    /// connection can't be used for another request.
    struct BodyLeftUnread: Error {}

    /// Answers one request.
    func respond(
        to request: Request,
        writer: consuming ResponseWriter,
        channel: any Channel
    ) async throws {
        let start = ContinuousClock.now
        switch try await admit(request, writer: writer, channel: channel) {
        case .refused(let refusal, let rest):
            try await refuse(request, refusal, rest: rest, writer: writer)
        case .admitted(let admission, _) where admission.route == .events:
            try await followEvents(request, writer: writer, channel: channel)
        case .admitted(let admission, let body):
            let reply = await answer(admission.route, request: request, body: body, channel: channel)
            metrics.answered(status: reply.status.code, after: ContinuousClock.now - start)
            let response = reply.response(headOnly: admission.headOnly)
            try await writer.write(response: response.head, body: response.body)
        }
    }

    // MARK: Before the answer

    private enum Admitted {
        case admitted(Admission, body: ByteBuffer)
        /// Carries what is left of the body, where reading it had begun: it can be iterated once only.
        case refused(Admission.Refusal, rest: RequestBody.AsyncIterator?)
    }

    private func admit(
        _ request: Request,
        writer: borrowing ResponseWriter,
        channel: any Channel
    ) async throws -> Admitted {
        let admission: Admission
        do throws(Admission.Refusal) {
            admission = try Admission(request, maximumBodySize: configuration.maximumBodySize)
            try await permit(admission.route, channel: channel)
        } catch {
            return .refused(error, rest: nil)
        }
        var body = ByteBuffer()
        // The body of a follower is where its going shows.
        if admission.route == .events { return .admitted(admission, body: body) }
        if request.headers[.expect]?.lowercased() == "100-continue" {
            try await writer.writeInformationalHead(HTTPResponse(status: .continue))
        }
        let limit = admission.route.takesBody ? configuration.maximumBodySize : Self.unusedBodySize
        var chunks = request.body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard body.readableBytes + chunk.readableBytes <= limit else {
                return .refused(Admission.Refusal(.bodyTooLarge(limit)), rest: chunks)
            }
            body.writeImmutableBuffer(chunk)
        }
        return .admitted(admission, body: body)
    }

    /// The largest body, in bytes, that is read where none is wanted.
    private static let unusedBodySize = 64 << 10

    private func permit(_ route: Route, channel: any Channel) async throws(Admission.Refusal) {
        guard route.changesThings, let group = configuration.writeGroup else { return }
        let peer = await Peer(of: channel)
        if let peer {
            if peer.user == 0 || peer.user == Peer.ownUser { return }
            if await peer.isMember(of: group, on: channel) { return }
        }
        throw Admission.Refusal(
            ProblemJSON(
                .notPermitted,
                "you may look but not change anything; ask an administrator to add you to the group of "
                    + "control.write-group"
            )
        )
    }

    /// Answers with a problem. What is left of the body is read and thrown
    /// away, up to as much as a body may have, so that the client gets to see
    /// the answer instead of a broken pipe.
    private func refuse(
        _ request: Request,
        _ refusal: Admission.Refusal,
        rest: RequestBody.AsyncIterator?,
        writer: consuming ResponseWriter
    ) async throws {
        var reply = Reply.problem(refusal.problem, fields: refusal.fields)
        let closes = refusal.problem.status == 413
        if closes { reply.fields[.connection] = "close" }
        metrics.answered(status: reply.status.code, after: .zero)
        let response = reply.response(headOnly: request.method == .head)
        try await writer.write(response: response.head, body: response.body)
        guard closes else { return }
        var chunks = rest ?? request.body.makeAsyncIterator()
        var left = configuration.maximumBodySize
        while let chunk = try await chunks.next() {
            left -= chunk.readableBytes
            if left < 0 { break }
        }
        throw BodyLeftUnread()
    }

    // MARK: The answer

    private func answer(
        _ route: Route,
        request: Request,
        body: ByteBuffer,
        channel: any Channel
    ) async -> Reply {
        do {
            return try await reply(to: route, request: request, body: body, channel: channel)
        } catch let problem as ProblemJSON {
            return .problem(problem)
        } catch let error as ControlError {
            return .problem(ProblemJSON(error))
        } catch {
            logger.error("answering \(request.method) \(request.uri.path) failed: \(error)")
            return .problem(ProblemJSON(.internalError, "the daemon could not answer; its log says why"))
        }
    }

    private func reply(
        to route: Route,
        request: Request,
        body: ByteBuffer,
        channel: any Channel
    ) async throws -> Reply {
        let query = try Query(request, known: route.parameters)
        switch route {
        case .createBatch: return try await createBatch(request, body: body, channel: channel)
        case .listBatches: return try await listBatches(query)
        case .showBatch(let id):
            guard let batch = try await queries.batch(id) else { throw ProblemJSON.noSuchBatch(id) }
            return try .json(BatchJSON(batch, jobs: try await queries.jobIDs(of: id), now: now()))
        case .listJobs: return try await listJobs(query)
        case .showJob(let id):
            guard let job = try await queries.job(id) else { throw ProblemJSON.noSuchJob(id) }
            return try .json(show(job))
        case .changeJob(let id):
            let priority = try SmallBodies.priority(try Self.parse(body))
            return try .json(show(try await control.steer(.prioritize(priority), job: id)))
        case .steerJob(let id, let steering):
            let url = steering == .retry ? try SmallBodies.retry(try Self.parse(body)) : nil
            return try .json(show(try await control.steer(steering.action(url: url), job: id)))
        case .steerAll(let steering):
            return try .json(SteeredJSON(changed: try await control.steerAll(steering.action(url: nil))))
        case .setGate(let open):
            try await control.setDetectionGate(open: open)
            return try .json(GateJSON(gate: open ? "open" : "held"))
        case .status:
            return try .json(
                StatusJSON(
                    control.status(),
                    version: configuration.version,
                    isStopping: stop.isRaised,
                    now: now()
                )
            )
        case .metrics:
            return .text(
                metrics.text(
                    control.status(),
                    connections: connections.count,
                    followers: followers.count,
                    more: configuration.moreMetrics()
                ),
                type: ServerMetrics.contentType
            )
        case .openAPI:
            return .text(OpenAPIDocument.text(version: configuration.version), type: "application/json")
        case .events: throw ProblemJSON(.internalError, "events are streamed")
        }
    }

    private func show(_ job: Job) -> JobJSON {
        let live = job.state == .downloading ? control.liveTransfers()[job.id] : nil
        return JobJSON(job, live: live, now: now())
    }

    private func listJobs(_ query: Query) async throws -> Reply {
        let filter = try query.filter()
        let after = try query.integer("after", in: 0...Int64.max).map(JobID.init(rawValue:))
        let page = try await queries.jobs(filter, after: after, limit: try query.limit())
        let live = control.liveTransfers()
        let now = now()
        return try .json(
            PageJSON(
                items: page.items.map { JobJSON($0, live: live[$0.id], now: now) },
                total: page.total,
                hasMore: page.hasMore,
                next: page.hasMore ? page.items.last.map { "\($0.id.rawValue)" } : nil
            )
        )
    }

    private func listBatches(_ query: Query) async throws -> Reply {
        let after = try query.integer("after", in: 0...Int64.max).map(BatchID.init(rawValue:))
        let page = try await queries.batches(after: after, limit: try query.limit())
        let now = now()
        return try .json(
            PageJSON(
                items: page.items.map { BatchJSON($0, now: now) },
                total: page.total,
                hasMore: page.hasMore,
                next: page.hasMore ? page.items.last.map { "\($0.id.rawValue)" } : nil
            )
        )
    }

    private func createBatch(_ request: Request, body: ByteBuffer, channel: any Channel) async throws -> Reply
    {
        let idempotency = try Self.idempotency(request, body: body)
        guard let value = try Self.parse(body) else {
            throw ProblemJSON(.malformedJSON, "the body is empty; it must be an object with the key items")
        }
        let items = try await BatchReader.read(value)
        let user = await Peer(of: channel)?.user
        let accepted = try await control.submit(
            Submission(items: items, submittedBy: user, idempotency: idempotency)
        )
        return try .json(
            BatchJSON(accepted.batch, jobs: accepted.jobs, now: now()),
            status: .created,
            fields: [.location: "/v1/batches/\(accepted.batch.id.rawValue)"]
        )
    }

    /// Reads a body as JSON; nil where there is none.
    private static func parse(_ body: ByteBuffer) throws(ProblemJSON) -> JSONValue? {
        guard body.readableBytes > 0 else { return nil }
        do throws(JSONReader.Malformed) {
            return try JSONReader.read(Array(body.readableBytesView))
        } catch {
            throw ProblemJSON(
                .malformedJSON,
                "the body is not JSON: \(error.reason), at line \(error.line), column \(error.column)"
            )
        }
    }

    private static func idempotency(
        _ request: Request,
        body: ByteBuffer
    ) throws(ProblemJSON) -> Submission.Idempotency? {
        let field = request.headers.first { $0.name.canonicalName == "idempotency-key" }
        guard let key = field?.value else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ProblemJSON(
                .invalidParameter,
                "an Idempotency-Key has 1 to 255 visible ASCII characters, without spaces"
            )
        }
        var hash = SHA256()
        hash.update(data: Array(body.readableBytesView))
        let digest = hash.finalize().map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return .init(key: key, bodyDigest: digest.joined())
    }
}

extension Route.Steering {
    /// What the engine is asked to do.
    fileprivate func action(url: JobURL?) -> SteeringAction {
        switch self {
        case .pause: .pause
        case .resume: .resume
        case .cancel: .cancel
        case .retry: .retry(url: url)
        case .detect: .detect
        }
    }
}
