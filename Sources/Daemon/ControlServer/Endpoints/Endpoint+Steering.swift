import ControlAPI
import JobEngine
import JobModel
import Vocabulary

extension Endpoint {
    /// The endpoints that steer one job, or all of them, or those that a filter lets through.
    static let steering = JobAction.allCases.flatMap { [forOne($0), forAll($0)] }

    private static func forOne(_ steering: JobAction) -> Endpoint {
        Endpoint(
            .post,
            PathTemplate("/v1/jobs/{id}/\(steering.rawValue)"),
            id: "\(steering.rawValue)Job",
            steering.summary,
            body: steering.ofOne,
            problems: [.noSuchJob, .notPossible]
        ) { server, call, action in
            server.show(try await server.control.steer(action, job: call.job))
        }
    }

    private static func forAll(_ steering: JobAction) -> Endpoint {
        Endpoint(
            .post,
            PathTemplate("/v1/jobs/\(steering.rawValue)"),
            id: "\(steering.rawValue)Jobs",
            steering.summary
                + " Applies to all jobs for which that makes sense, or to those of them that the parameters let "
                + "through. A state that is named is taken as it is.",
            parameters: Parameters.filter,
            body: steering.ofAll,
            problems: [.noSuchBatch, .notPossible]
        ) { server, call, action in
            guard call.hasFilter else {
                return SteeredJSON(changed: try await server.control.steerAll(action))
            }
            // What was asked before may be under way, and change the states of any of them.
            let matches = try await server.matches(call.filter, orIn: JobState.allCases)
            let states = call.filter.state == nil ? action.sensibleStates : nil
            let changed = try await server.control.steer(action, jobs: matches.jobs, in: states)
            return SteeredJSON(changed: changed, matched: matches.count)
        }
    }
}

extension Endpoint {
    /// Actions on the jobs of a batch.
    static let batchSteering = [JobAction.pause, .resume, .cancel].map { steering in
        Endpoint(
            .post,
            PathTemplate("/v1/batches/{id}/\(steering.rawValue)"),
            id: "\(steering.rawValue)Batch",
            steering.summary + " For all jobs of a batch for which that makes sense.",
            body: steering.ofAll,
            problems: [.noSuchBatch, .notPossible]
        ) { server, call, action in
            guard try await server.queries.batch(call.batch) != nil else {
                throw ProblemJSON.noSuchBatch(call.batch)
            }
            let jobs = try await server.queries.jobIDs(of: call.batch)
            return SteeredJSON(changed: try await server.control.steer(action, jobs: jobs, in: nil))
        }
    }

    /// Forgetting jobs.
    static let forgetting = [
        Endpoint(
            .post,
            "/v1/jobs/forget",
            id: "forgetJobs",
            "Forgets jobs that have ended, and batches with the last of their jobs: those that the body names, or "
                + "that the parameters let through, one of the two. Documents stay. Jobs under way stay, too, and are "
                + "counted; 409 where all are under way.",
            parameters: Parameters.filter,
            body: ForgetReader.body,
            problems: [.noSuchBatch, .notPossible]
        ) { server, call, selection in
            let answer: ForgottenJobs
            switch (selection, call.hasFilter) {
            case (let selection?, false): answer = try await server.forget(selection)
            case (nil, true): answer = try await server.forget(call.filter)
            default:
                throw ProblemJSON(
                    .invalidRequest,
                    "say which jobs are to be forgotten, either in the body or by parameters"
                )
            }
            guard answer.forgotten > 0 || answer.kept == 0 else {
                throw ProblemJSON(
                    .notPossible,
                    answer.kept == 1
                        ? "the job is under way; cancel it first"
                        : "all \(answer.kept) jobs are under way; cancel them first"
                )
            }
            return ForgottenJSON(forgotten: answer.forgotten, kept: answer.kept)
        }
    ]
}

extension RequestHandler {
    /// The jobs that a filter lets through: in the state that it names, or else in any of `states`.
    fileprivate func matches(_ filter: JobFilter, orIn states: [JobState]) async throws -> JobMatches {
        if let batch = filter.batch, try await queries.batch(batch) == nil {
            throw ProblemJSON.noSuchBatch(batch)
        }
        return try await queries.matches(filter, in: filter.state.map { [$0] } ?? states)
    }

    /// Forgets the jobs that a filter lets through and that have ended.
    fileprivate func forget(_ filter: JobFilter) async throws -> ForgottenJobs {
        let matches = try await matches(filter, orIn: JobState.allCases.filter(\.isFinal))
        var answer = try await control.forget(matches.jobs)
        answer.kept += matches.count - matches.jobs.count
        return answer
    }

    /// Forgets the jobs of a selection that have ended.
    fileprivate func forget(_ selection: ForgottenSelection) async throws -> ForgottenJobs {
        switch selection {
        case .jobs(let jobs): return try await control.forget(jobs)
        case .batch(let batch):
            guard try await queries.batch(batch) != nil else { throw ProblemJSON.noSuchBatch(batch) }
            return try await control.forget(try await queries.jobIDs(of: batch))
        case .endedBefore(let moment):
            return try await control.forget(endedBefore: moment, of: queries)
        }
    }
}

extension JobAction {
    /// The action's description in the OpenAPI document.
    fileprivate var summary: String {
        switch self {
        case .pause: "Pauses a job and keeps its partial file."
        case .resume: "Lets a paused job continue."
        case .cancel:
            "Ends a job; a finished document stays. One whose document is looked at again is done with its earlier "
                + "result."
        case .retry:
            "Tries again now; for one job, a new URL replaces an expired one. A document that was removed to make "
                + "room is fetched again."
        case .detect: "Looks for faces again, with another engine if one is named."
        case .pin: "Keeps a job's document, however long ago it was served."
        case .unpin: "Lets a job's document be removed to make room, if its source has keep: evictable."
        }
    }

    /// The engine's action for one job, as read from the request's body.
    fileprivate var ofOne: SmallBody<SteeringAction> {
        switch self {
        case .pause: .none(.pause)
        case .resume: .none(.resume)
        case .cancel: .none(.cancel)
        case .retry: SmallBodies.retry.map { url, user in .retry(url: url, by: user) }
        case .pin: .none(.pin(true))
        case .unpin: .none(.pin(false))
        case .detect: SmallBodies.detect.map { engine, _ in .detect(engine: engine) }
        }
    }

    /// The engine's action for all jobs, which can't share a new URL.
    fileprivate var ofAll: SmallBody<SteeringAction> {
        self == .retry ? .none(.retry(url: nil)) : ofOne
    }
}
