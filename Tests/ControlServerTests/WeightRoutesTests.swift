import ControlAPI
import EngineSupport
import TestSupport
import Testing

@testable import ControlServer

@Suite("Weights of batches")
struct WeightRoutesTests {
    private static func body(weight: String) -> String {
        #"{"weight":\#(weight),"items":[{"url":"http://example.org/1.jpg"},{"url":"http://example.org/2.jpg"}]}"#
    }

    @Test("A batch's weight is that of its jobs, which show it unless it is 1")
    func weight() async throws {
        try await withServer { server in
            #expect(try await server.send("POST", "/v1/batches", Self.body(weight: "1000")).status == 201)
            #expect(try await server.send("POST", "/v1/batches", Self.body(weight: "1")).status == 201)
            #expect(try await server.send("POST", "/v1/batches", Self.body(weight: "null")).status == 201)
            for (id, weight) in [(1, 1000), (2, 1000), (3, nil), (6, nil)] as [(Int, Int?)] {
                let job = try await server.send("GET", "/v1/jobs/\(id)").decoded(as: JobJSON.self)
                #expect(job.weight == weight)
            }
        }
    }

    @Test("What isn't a weight is refused", arguments: ["0", "-1", "1.5", "\"2\"", "1001", "true", "[]"])
    func refuses(weight: String) async throws {
        try await withServer { server in
            let posted = try await server.send("POST", "/v1/batches", Self.body(weight: weight))
            #expect(posted.status == 422)
            let problem = try posted.decoded(as: ProblemJSON.self)
            #expect(problem.detail.contains("the weight must be an integer from 1 to 1000"))
        }
    }
}
