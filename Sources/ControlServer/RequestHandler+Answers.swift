import ControlAPI
import HTTPTypes
import Hummingbird
import HummingbirdCore
import JobCore
import JobEngine
import Logging
import NIOCore

extension RequestHandler {
    /// Answers a request that was let in.
    ///
    /// Never fails: what goes wrong is an answer, too.
    func answer(
        _ route: Route,
        request: Request,
        body: [UInt8],
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
        body: [UInt8],
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
            let priority = try SmallBodies.priority(body)
            return try .json(show(try await control.steer(.prioritize(priority), job: id)))
        case .steerJob(let id, let steering):
            let user = connections.client(of: channel)?.user
            let action = try Self.action(steering, body: body, by: user)
            return try .json(show(try await control.steer(action, job: id)))
        case .steerAll(let steering):
            // One URL can't be that of all.
            let action =
                steering == .retry ? .retry(url: nil) : try Self.action(steering, body: body, by: nil)
            return try .json(SteeredJSON(changed: try await control.steerAll(action)))
        case .setGate(let open):
            try await control.setDetectionGate(open: open)
            return try .json(GateJSON(gate: .known(open ? .open : .held)))
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
                    version: configuration.version,
                    connections: connections.count,
                    followers: followers.count,
                    detectors: configuration.detectors()
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
        let answer = PageJSON(
            items: page.items.map { JobJSON($0, live: live[$0.id], now: now) },
            total: page.total,
            hasMore: page.hasMore,
            next: page.hasMore ? page.items.last.map { "\($0.id.rawValue)" } : nil
        )
        return .text(JobPageText.encode(answer), type: "application/json")
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

    private func createBatch(_ request: Request, body: [UInt8], channel: any Channel) async throws -> Reply {
        let key = try Self.idempotencyKey(request)
        let read =
            body.count <= BatchBody.smallSize
            ? BatchBody.read(body, withDigest: key != nil)
            : await bodyThread.run { BatchBody.read(body, withDigest: key != nil) }
        let (items, digest): ([NewJob], String?)
        switch read {
        case .items(let read, let ofBody): (items, digest) = (read, ofBody)
        case .refused(let reply): return reply
        }
        var idempotency: Submission.Idempotency?
        if let key, let digest { idempotency = .init(key: key, bodyDigest: digest) }
        let user = connections.client(of: channel)?.user
        let accepted = try await control.submit(
            Submission(items: items, submittedBy: user, idempotency: idempotency)
        )
        return try .json(
            BatchJSON(accepted.batch, jobs: accepted.jobs, now: now()),
            status: .created,
            fields: [.location: "/v1/batches/\(accepted.batch.id.rawValue)"]
        )
    }

    /// What the engine is asked to do.
    private static func action(
        _ steering: Route.Steering,
        body: [UInt8],
        by user: UInt32?
    ) throws(ProblemJSON) -> SteeringAction {
        switch steering {
        case .pause: .pause
        case .resume: .resume
        case .cancel: .cancel
        case .retry: .retry(url: try SmallBodies.retry(body), by: user)
        case .detect: .detect(engine: try SmallBodies.detect(body))
        }
    }

    private static func idempotencyKey(_ request: Request) throws(ProblemJSON) -> String? {
        let field = request.headers.first { $0.name.canonicalName == "idempotency-key" }
        guard let key = field?.value else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ProblemJSON(
                .invalidParameter,
                "an Idempotency-Key has 1 to 255 visible ASCII characters, without spaces"
            )
        }
        return key
    }
}
