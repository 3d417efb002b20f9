import ControlAPI
import FoundationEssentials
import JobModel
import TestSupport
import Testing

@testable import ControlServer

@Suite("Leaving out what is known", .timeLimit(.minutes(2)))
struct SkipKnownRoutesTests {
    private static func body(_ names: [String], skips: Bool = true) -> String {
        let items = names.map { #"{"url":"http://example.org/\#($0)"}"# }.joined(separator: ",")
        return #"{"skip_known":\#(skips),"items":[\#(items)]}"#
    }

    @Test("What a job has is left out, and what comes twice; the answer says how many")
    func leavesOut() async throws {
        try await withServer { server in
            #expect(try await server.send("POST", "/v1/batches", Self.body(["a", "b"])).status == 201)
            let response = try await server.send("POST", "/v1/batches", Self.body(["a", "c", "b", "c", "d"]))
            #expect(response.status == 201)
            let batch = try response.decoded(as: BatchJSON.self)
            #expect(batch.known == 3 && batch.jobCount == 2 && batch.jobs == [3, 4])
            let jobs: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?batch=2").decoded()
            #expect(jobs.items.map(\.name) == ["c", "d"])
            #expect(try await server.send("GET", "/v1/batches/2").decoded(as: BatchJSON.self).known == 3)
            // Without being asked to, nothing is left out.
            let whole = try await server.send("POST", "/v1/batches", Self.body(["a", "a"], skips: false))
            let second = try whole.decoded(as: BatchJSON.self)
            #expect(whole.status == 201 && second.jobCount == 2 && second.known == nil)
            #expect(!whole.text.contains("known"))
        }
    }

    @Test("Where nothing is left there is no batch")
    func nothingNew() async throws {
        try await withServer { server in
            _ = try await server.send("POST", "/v1/batches", Self.body(["a"]))
            let response = try await server.send("POST", "/v1/batches", Self.body(["a", "a"]))
            #expect(response.status == 200 && response.text == #"{"batch":null,"known":2}"#)
            #expect(response.fields["location"] == nil)
            #expect(try await server.jobCount() == 1)
            // What is wrong is wrong all the same.
            #expect(try await server.send("POST", "/v1/batches", Self.body([])).status == 422)
            #expect(try await server.send("POST", "/v1/batches", Self.body(["a"]) + "x").status == 400)
        }
    }

    @Test("What has failed or was cancelled is fetched again")
    func over() async throws {
        try await withServer { server in
            _ = try await server.send("POST", "/v1/batches", Self.body(["a", "b", "c"]))
            #expect(try await server.send("POST", "/v1/jobs/2/cancel").status == 200)
            try await server.engine.end(1, .refused(JobFailure(.http(404), "it is gone")))
            let again = try await server.send("POST", "/v1/batches", Self.body(["a", "b", "c"]))
            let batch = try again.decoded(as: BatchJSON.self)
            #expect(batch.known == 1 && batch.jobs == [4, 5])
            #expect(try await server.send("POST", "/v1/jobs/3/cancel").status == 200)
            let last = try await server.send("POST", "/v1/batches", Self.body(["c"]))
            #expect(try last.decoded(as: BatchJSON.self).known == 0)
        }
    }

    @Test("Under a key, the answer is the first one, whatever has become known or unknown since")
    func repeated() async throws {
        try await withServer { server in
            func post(
                _ names: [String],
                key: String,
                skips: Bool = true
            ) async throws -> HTTPClient.Response {
                try await server.send(
                    "POST",
                    "/v1/batches",
                    Self.body(names, skips: skips),
                    fields: ["Idempotency-Key": key, "Content-Type": "application/json"]
                )
            }
            _ = try await server.send("POST", "/v1/batches", Self.body(["a"]))
            for _ in 0..<2 {
                let response = try await post(["a", "b"], key: "one")
                let batch = try response.decoded(as: BatchJSON.self)
                #expect(response.status == 201 && batch.id == 2 && batch.known == 1 && batch.jobs == [2])
            }
            for _ in 0..<2 {
                let response = try await post(["a", "b"], key: "two")
                #expect(response.status == 200 && response.text == #"{"batch":null,"known":2}"#)
                // Now they would be fetched again.
                for job in [1, 2] { _ = try await server.send("POST", "/v1/jobs/\(job)/cancel") }
            }
            #expect(try await post(["a", "c"], key: "one").status == 422)
            #expect(try await post(["a", "c"], key: "two").status == 422)
            #expect(try await post(["a", "b"], key: "two", skips: false).status == 422)
            #expect(try await server.jobCount() == 2)
        }
    }

    @Test("Of several that come at once, only one adds what they have in common")
    func atOnce() async throws {
        try await withServer { server in
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let body = Self.body(["same1", "same2", "own\(number)"])
                        let response = try await server.send("POST", "/v1/batches", body)
                        return try response.decoded(as: BatchJSON.self).jobCount
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.sorted() == [1, 1, 1, 1, 1, 1, 1, 3])
        }
    }

    @Test("A hundred thousand items are one batch without those that are known")
    func many() async throws {
        try await withServer { server in
            let names = (1...100_000).map { "\($0).jpg" }
            _ = try await server.send("POST", "/v1/batches", Self.body(Array(names.prefix(60_000))))
            let response = try await server.send("POST", "/v1/batches", Self.body(names))
            let batch = try response.decoded(as: BatchJSON.self)
            #expect(batch.known == 60_000 && batch.jobCount == 40_000)
            #expect(batch.jobs?.first == 60_001 && batch.jobs?.count == 40_000)
            let last = try await server.send("POST", "/v1/batches", Self.body(names))
            #expect(last.text == #"{"batch":null,"known":100000}"#)
        }
    }
}
