import ControlAPI
import JobEngine

extension Endpoint {
    /// The endpoints that steer one job or all of them.
    static let steering = JobJSON.Steering.allCases.flatMap { [forOne($0), forAll($0)] }

    private static func forOne(_ steering: JobJSON.Steering) -> Endpoint {
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

    private static func forAll(_ steering: JobJSON.Steering) -> Endpoint {
        Endpoint(
            .post,
            PathTemplate("/v1/jobs/\(steering.rawValue)"),
            id: "\(steering.rawValue)Jobs",
            steering.summary + " Applies to all jobs for which that makes sense.",
            body: steering.ofAll,
            problems: [.notPossible]
        ) { server, _, action in
            SteeredJSON(changed: try await server.control.steerAll(action))
        }
    }
}

extension JobJSON.Steering {
    /// The action's description in the OpenAPI document.
    fileprivate var summary: String {
        switch self {
        case .pause: "Pauses a job and keeps its partial file."
        case .resume: "Lets a paused job continue."
        case .cancel: "Ends a job; a finished document stays."
        case .retry: "Tries again now; for one job, a new URL replaces an expired one."
        case .detect: "Looks for faces again, with another engine if one is named."
        }
    }

    /// The engine's action for one job, as read from the request's body.
    fileprivate var ofOne: SmallBody<SteeringAction> {
        switch self {
        case .pause: .none(.pause)
        case .resume: .none(.resume)
        case .cancel: .none(.cancel)
        case .retry: SmallBodies.retry.map { url, user in .retry(url: url, by: user) }
        case .detect: SmallBodies.detect.map { engine, _ in .detect(engine: engine) }
        }
    }

    /// The engine's action for all jobs, which can't share a new URL.
    fileprivate var ofAll: SmallBody<SteeringAction> {
        self == .retry ? .none(.retry(url: nil)) : ofOne
    }
}
