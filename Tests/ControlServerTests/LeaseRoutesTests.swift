import ControlAPI
import EngineSupport
import JobEngine
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

extension RunningServer {
    fileprivate func state(_ job: Int64) async throws -> APIWord<JobState> {
        try await send("GET", "/v1/jobs/\(job)").decoded(as: JobJSON.self).state
    }

    /// Returns once a job is in a state, which leases and their renewals bring about by and by.
    fileprivate func wait(for state: JobState, of job: Int64) async throws {
        while try await self.state(job) != .known(state) { try await engine.settle() }
    }
}

@Suite("Leases of batches, and removing documents")
struct LeaseRoutesTests {
    private static func body(lease: String) -> String {
        #"{"items":[{"url":"http://example.org/1.jpg"},{"url":"http://example.org/2.jpg"}],"lease":"# + lease
            + "}"
    }

    @Test("A batch posted with a lease pauses when it lapses and goes on when it is renewed")
    func renews() async throws {
        try await withServer { server in
            let posted = try await server.send("POST", "/v1/batches", Self.body(lease: "20"))
            #expect(posted.status == 201)
            #expect(try posted.decoded(as: BatchJSON.self).lease == 20)
            #expect(try await server.state(2) == .queued)
            server.engine.pass(seconds: 20)
            try await server.wait(for: .paused, of: 1)
            try await server.wait(for: .paused, of: 2)
            let refused = try await server.send("POST", "/v1/jobs/2/resume")
            #expect(refused.status == 409)
            #expect(try refused.decoded(as: ProblemJSON.self).code == "not_possible")
            for body in [nil, "{}", #"{"lease":null}"#, #"{"lease":30}"#] {
                let renewed = try await server.send("POST", "/v1/batches/1/renew", body)
                #expect(renewed.status == 200)
                #expect(try renewed.decoded(as: BatchJSON.self).lease == 20)
            }
            try await server.wait(for: .queued, of: 2)
            server.engine.pass(seconds: 25)
            try await server.engine.settle()
            #expect(try await server.state(2) == .queued)
            #expect(try await server.send("POST", "/v1/batches/1/renew", #"{"lease":0}"#).status == 200)
            try await server.wait(for: .paused, of: 2)
        }
    }

    @Test(
        "What isn't a lease is refused, with the post and with the renewal",
        arguments: ["-1", "1.5", "\"20\"", "86401", "true", "[]"]
    )
    func refuses(lease: String) async throws {
        try await withServer { server in
            for bad in [lease, "0"] {
                let posted = try await server.send("POST", "/v1/batches", Self.body(lease: bad))
                #expect(posted.status == 422)
            }
            #expect(try await server.send("POST", "/v1/batches", Self.body(lease: "20")).status == 201)
            let renewed = try await server.send("POST", "/v1/batches/1/renew", #"{"lease":\#(lease)}"#)
            #expect(renewed.status == 422)
        }
    }

    @Test("There must be such a batch, and it must have a lease")
    func missing() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            #expect(try await server.send("POST", "/v1/batches/1/renew").status == 409)
            #expect(try await server.send("POST", "/v1/batches/7/renew").status == 404)
        }
    }

    @Test("A document is removed once, if it is what was stored")
    func removes() async throws {
        try await withServer { server in
            try await server.addFiles(2)
            #expect(try await server.send("DELETE", "/v1/jobs/9/document").status == 404)
            #expect(try await server.send("DELETE", "/v1/jobs/1/document").status == 409)
            try await server.engine.store(1)
            try await server.engine.look(1, faces: [])
            let engine = server.engine
            // The document store's answer comes while the request waits for it.
            for (report, status) in [(StorageReport.notRemoved, 409), (.removed, 200), (.removed, 410)] {
                let before = engine.outside.all.removed.count
                async let answer = server.send("DELETE", "/v1/jobs/1/document")
                if status != 410 {
                    try await waitWhile { engine.outside.all.removed.count == before }
                    engine.engine.received([(JobID(rawValue: 1), report)])
                }
                #expect(try await answer.status == status)
            }
            let job: JobJSON = try await server.send("GET", "/v1/jobs/1").decoded()
            #expect(job.path == nil && job.state == .done && job.detection != nil)
        }
    }
}
