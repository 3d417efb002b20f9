import ControlAPI
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

@testable import ControlServer

/// The server goes by the rows, and so does its document: what the rows say is what happens.
@Suite("The endpoints of the control socket")
struct EndpointTests {
    private static let paths = Set(Endpoint.all.map(\.path))

    /// A path with job 1, batch 1 or the source "one" in it.
    private static func target(_ path: PathTemplate) -> String {
        path.text.replacing("{id}", with: "1").replacing("{name}", with: "one")
    }

    private static let whole = Endpoint.all.filter {
        if case .reply = $0.handler { true } else { false }
    }

    @Test("no two have the same name, or the same method and path")
    func distinct() {
        #expect(Set(Endpoint.all.map(\.id)).count == Endpoint.all.count)
        #expect(Set(Endpoint.all.map { "\($0.method) \($0.path.text)" }).count == Endpoint.all.count)
    }

    @Test("a body that is not JSON is refused with 415 by all that read one, and by no other")
    func mediaTypes() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            for endpoint in Self.whole {
                let response = try await server.send(
                    endpoint.method.rawValue,
                    Self.target(endpoint.path),
                    fields: ["Content-Type": "text/plain"]
                )
                #expect((response.status == 415) == (endpoint.body != nil), "\(endpoint.id)")
                #expect(endpoint.problemStatuses.contains(415) == (endpoint.body != nil), "\(endpoint.id)")
            }
        }
    }

    @Test("a method that a path doesn't have is refused with 405, and Allow lists those it has")
    func methods() async throws {
        try await withServer { server in
            for path in Self.paths {
                let methods = Set(Endpoint.all.filter { $0.path == path }.map(\.method.rawValue))
                for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] where !methods.contains(method) {
                    let response = try await server.send(method, Self.target(path))
                    #expect(response.status == 405, "\(method) \(path.text)")
                    #expect(response.fields["allow"] == methods.sorted().joined(separator: ", "))
                }
            }
        }
    }

    @Test("a query parameter that an endpoint doesn't read is refused with 400, and those it reads are named")
    func parameters() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            for endpoint in Self.whole {
                let response = try await server.send(
                    endpoint.method.rawValue,
                    Self.target(endpoint.path) + "?colour=red"
                )
                #expect(response.status == 400, "\(endpoint.id)")
                let problem = try response.decoded(as: ProblemJSON.self)
                #expect(problem.code == "invalid_parameter")
                #expect(endpoint.queryParameters.allSatisfy(problem.detail.contains))
            }
        }
    }

    @Test("every parameter that the document has is read")
    func readsParameters() async throws {
        try await withServer { server in
            for endpoint in Endpoint.all {
                for parameter in endpoint.parameters {
                    let isQuery = parameter.place != .header
                    let response = try await server.send(
                        endpoint.method.rawValue,
                        Self.target(endpoint.path) + (isQuery ? "?\(parameter.name)=" : ""),
                        fields: isQuery ? [:] : [parameter.name: "no good"]
                    )
                    #expect(response.status == 400, "\(endpoint.id) \(parameter.name)")
                    let problem = try response.decoded(as: ProblemJSON.self)
                    #expect(problem.code == "invalid_parameter", "\(endpoint.id) \(parameter.name)")
                }
            }
        }
    }

    @Test("the id in a path is a positive integer in digits; there is nothing at any other")
    func ids() {
        let template: PathTemplate = "/v1/jobs/{id}/pause"
        #expect(template.match(PathTemplate.parts(of: "/v1/jobs/17/pause"))?.id == 17)
        for path in [
            "/v1/jobs/{id}/pause", "/v1/jobs/0/pause", "/v1/jobs/01/pause", "/v1/jobs/+1/pause",
            "/v1/jobs//pause", "/v1/jobs/17/pause/", "/v1/jobs/17", "/v1/jobs/17/resume",
            "/v1/jobs/99999999999999999999/pause",
        ] {
            #expect(template.match(PathTemplate.parts(of: path[...])) == nil, "\(path)")
        }
        #expect(Route.all(at: "/v1/jobs/pause").map(\.endpoint.id) == ["pauseJobs"])
        #expect(Route.all(at: "/v1/jobs/3").map(\.endpoint.id) == ["showJob", "changeJob"])
        #expect(Route.all(at: "/v1").isEmpty && Route.all(at: "").isEmpty)
    }
}
