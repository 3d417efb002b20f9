import ControlAPI
import JobCore
import JobEngine

extension Endpoint {
    /// The endpoints for reading jobs and changing their priority.
    static let jobs = [
        Endpoint(
            .get,
            "/v1/jobs",
            id: "listJobs",
            "Jobs by id, or what they have come to by its number.",
            parameters: [
                Parameters.state, Parameters.batch, Parameters.source, Parameters.meta, Parameters.minFaces,
                Parameters.text, Parameters.ids, Parameters.endedAfter, Parameters.ending, Parameters.order,
                Parameters.limit, Parameters.after,
            ]
        ) { server, call in
            guard let endings = call.endings else { return try await server.jobs(call) }
            return try await server.endings(endings)
        },
        Endpoint(
            .get,
            "/v1/jobs/{id}",
            id: "showJob",
            "One job.",
            problems: [.noSuchJob]
        ) { server, call in
            guard let job = try await server.queries.job(call.job) else {
                throw ProblemJSON.noSuchJob(call.job)
            }
            return server.show(job)
        },
        Endpoint(
            .patch,
            "/v1/jobs/{id}",
            id: "changeJob",
            "Moves a job in the queue.",
            body: SmallBodies.priority,
            problems: [.noSuchJob, .notPossible]
        ) { server, call, priority in
            server.show(try await server.control.steer(.prioritize(priority), job: call.job))
        },
    ]
}

extension RequestHandler {
    /// Returns a job in its current state, as shown to clients.
    func show(_ job: Job) -> JobJSON {
        let live = job.state == .downloading ? control.liveTransfers()[job.id] : nil
        return JobJSON(job, live: live, now: now())
    }

    /// Answers with a page of jobs.
    fileprivate func jobs(_ call: Call) async throws -> PageJSON<JobJSON> {
        let after = call[Parameters.after].map(JobID.init(rawValue:))
        let page = try await queries.jobs(
            call.filter,
            order: call.order,
            after: after,
            limit: call.limit
        )
        let live = control.liveTransfers()
        let now = now()
        return PageJSON(
            items: page.items.map { JobJSON($0, live: live[$0.id], now: now) },
            total: page.total,
            hasMore: page.hasMore,
            next: page.hasMore ? page.items.last.map { "\($0.id.rawValue)" } : nil
        )
    }

    /// A page of what jobs have come to.
    fileprivate func endings(_ query: EndingQuery) async throws -> PageJSON<JobJSON> {
        let page = try await queries.endings(query)
        let live = control.liveTransfers()
        let now = now()
        return PageJSON(
            items: page.items.map { JobJSON($0, live: live[$0.job.id], now: now) },
            total: page.total,
            hasMore: page.hasMore,
            next: page.hasMore ? page.items.last.map { "\($0.number)" } : nil,
            oldest: page.oldest,
            newest: page.newest
        )
    }
}
