import ControlAPI
import JobEngine
import JobModel
import TestSupport
import Testing

@testable import ControlServer

@Suite("Forgetting jobs, and steering batches")
struct ForgetRoutesTests {
    private static let tooManyIDs = "{\"ids\":[1" + String(repeating: ",2", count: 1000) + "]}"

    @Test("jobs that have ended are forgotten by id, by batch and by when they ended")
    func forgets() async throws {
        try await withServer { server in
            for count in [3, 2, 2] { try await server.addFiles(count) }
            _ = try await server.send("POST", "/v1/batches/1/pause")
            _ = try await server.send("POST", "/v1/batches/2/cancel")
            _ = try await server.send("POST", "/v1/jobs/2/cancel")
            let one: ForgottenJSON = try await server.send("POST", "/v1/jobs/forget", #"{"ids":[2,3,77]}"#)
                .decoded()
            #expect(one == ForgottenJSON(forgotten: 1, kept: 1))
            #expect(try await server.send("GET", "/v1/jobs/2").status == 404)
            let refused = try await server.send("POST", "/v1/jobs/forget", #"{"ids":[3]}"#)
            let problem: ProblemJSON = try refused.decoded()
            #expect(refused.status == 409 && problem.code == "not_possible")
            let batch: ForgottenJSON = try await server.send("POST", "/v1/jobs/forget", #"{"batch":2}"#)
                .decoded()
            #expect(batch == ForgottenJSON(forgotten: 2, kept: 0))
            #expect(try await server.send("GET", "/v1/batches/2").status == 404)
            #expect(try await server.send("POST", "/v1/jobs/forget", #"{"batch":2}"#).status == 404)
            let page: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?ended_after=0").decoded()
            #expect(page.items.isEmpty && page.oldest == 3)
            _ = try await server.send("POST", "/v1/jobs/7/cancel")
            for (time, forgotten) in [("2000-01-01T00:00:00Z", 0), ("2999-01-01T00:00:00Z", 1)] {
                let answer: ForgottenJSON = try await server.send(
                    "POST",
                    "/v1/jobs/forget",
                    "{\"ended_before\":\"\(time)\"}"
                ).decoded()
                #expect(answer == ForgottenJSON(forgotten: forgotten, kept: 0))
            }
            #expect(try await server.jobCount() == 3)
        }
    }

    @Test(
        "what doesn't say which is refused",
        arguments: [
            "{}", "[]", "null", #"{"ids":[]}"#, #"{"ids":[0]}"#, #"{"ids":["1"]}"#, #"{"ids":1}"#,
            #"{"ids":[1],"batch":1}"#, #"{"batch":"b1"}"#, #"{"ended_before":"yesterday"}"#, #"{"all":true}"#,
            tooManyIDs,
        ]
    )
    func refuses(body: String) async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let response = try await server.send("POST", "/v1/jobs/forget", body)
            #expect(response.status == 422)
            #expect(try response.decoded(as: ProblemJSON.self).code == "invalid_request")
            #expect(try await server.jobCount() == 1)
        }
    }

    @Test("what a filter lets through and has ended is forgotten, and it is one way or the other")
    func forgetsByFilter() async throws {
        try await withServer { server in
            try await server.addFiles(3)
            _ = try await server.send("POST", "/v1/jobs/pause")
            _ = try await server.send("POST", "/v1/jobs/2/cancel")
            _ = try await server.send("POST", "/v1/jobs/3/cancel")
            for (target, body, status) in [
                ("forget", "", 422), ("forget?state=cancelled", #"{"ids":[2]}"#, 422),
                ("forget?batch=7", "", 404),
                ("forget?state=paused", "", 409),
            ] {
                #expect(
                    try await server.send("POST", "/v1/jobs/" + target, body).status == status,
                    "\(target)"
                )
            }
            for (query, answer) in [
                ("ids=2,1", ForgottenJSON(forgotten: 1, kept: 1)),
                ("q=nothing", ForgottenJSON(forgotten: 0, kept: 0)),
                ("state=cancelled", ForgottenJSON(forgotten: 1, kept: 0)),
            ] {
                let said: ForgottenJSON = try await server.send("POST", "/v1/jobs/forget?" + query).decoded()
                #expect(said == answer, "\(query)")
            }
            #expect(try await server.jobCount() == 1)
        }
    }

    @Test("a batch is paused, resumed and cancelled as one")
    func steersBatches() async throws {
        try await withServer { server in
            try await server.addFiles(2)
            try await server.addFiles(3)
            for (word, changed, state) in [
                ("pause", 3, "paused"), ("resume", 3, "queued"), ("cancel", 3, "cancelled"),
            ] {
                let answer: SteeredJSON = try await server.send("POST", "/v1/batches/2/\(word)").decoded()
                #expect(answer.changed == changed)
                #expect(try await server.job(4).state.text == state)
                let again: SteeredJSON = try await server.send("POST", "/v1/batches/2/\(word)").decoded()
                #expect(again.changed == 0)
            }
            #expect(try await server.job(2).state == .queued)
            #expect(try await server.send("POST", "/v1/batches/9/pause").status == 404)
            #expect(try await server.send("POST", "/v1/batches/1/retry").status == 404)
        }
    }

    @Test("a batch is found by the key that it was posted with")
    func findsByKey() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let item = #"{"items":[{"url":"http://e.org/a"}]}"#
            let posted = try await server.send(
                "POST",
                "/v1/batches",
                item,
                fields: ["Idempotency-Key": "a&b"]
            )
            #expect(posted.status == 201)
            let page: PageJSON<BatchJSON> = try await server.send("GET", "/v1/batches?key=a%26b").decoded()
            #expect(page.items.map(\.id) == [2] && page.total == 1 && !page.hasMore)
            let none: PageJSON<BatchJSON> = try await server.send("GET", "/v1/batches?key=other").decoded()
            #expect(none.items.isEmpty && none.total == 0)
            for bad in ["", "a%20b"] {
                #expect(try await server.send("GET", "/v1/batches?key=" + bad).status == 400)
            }
        }
    }

    @Test("status says by what the store is known")
    func store() async throws {
        try await withServer { server in
            let status: StatusJSON = try await server.send("GET", "/v1/status").decoded()
            #expect(status.store?.utf8.count == 32)
        }
    }
}
