import ControlAPI
import JobEngine
import JobModel
import Vocabulary

extension Endpoint {
    /// The endpoints for reading jobs and changing their priority.
    static let jobs = [
        Endpoint(
            .get,
            "/v1/jobs",
            id: "listJobs",
            "Jobs by id, or what they have come to by its number.",
            parameters: Parameters.filter + [
                Parameters.endedAfter, Parameters.ending, Parameters.order, Parameters.limit,
                Parameters.after,
            ],
            answer: AnswerShape(schema: PageJSON<JobJSON>.schema),
            handler: .reply { server, call in
                guard let endings = call.endings else { return .json(try await server.jobs(call)) }
                return .json(text: try await server.endings(endings))
            }
        ),
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

    /// A page of what jobs have come to, as JSON.
    ///
    /// What is read is written while more is read, since that takes as long, and exports ask for a thousand
    /// pages (`make bench ONLY=export`).
    fileprivate func endings(_ query: EndingQuery) async throws -> [UInt8] {
        let live = control.liveTransfers()
        let now = now()
        let (pieces, reading) = AsyncStream.makeStream(of: [EndedJob].self)
        async let written = Self.write(pieces, live: live, now: now)
        let page: EndingPage
        do {
            page = try await queries.endings(query) { reading.yield($0) }
            reading.finish()
        } catch {
            reading.finish()
            throw error
        }
        let (items, last) = await written
        return PageJSON<JobJSON>(
            items: [],
            total: query.filter.text == nil ? page.total : nil,
            hasMore: page.hasMore,
            next: page.hasMore ? last.map { "\($0)" } : nil,
            oldest: page.oldest,
            newest: page.newest
        ).json(with: items)
    }

    /// Writes what is read as it comes, and returns it with the last number.
    private static func write(
        _ pieces: AsyncStream<[EndedJob]>,
        live: [JobID: LiveTransfer],
        now: Moment
    ) async -> (items: WrittenItems<JobJSON>, last: Int64?) {
        var items = WrittenItems<JobJSON>()
        var last: Int64?
        for await piece in pieces {
            for ended in piece { items.append(JobJSON(ended, live: live[ended.job.id], now: now)) }
            last = piece.last?.number ?? last
        }
        return (items, last)
    }
}
