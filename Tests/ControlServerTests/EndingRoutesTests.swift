import ControlAPI
import JobEngine
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Reading on from what ended")
struct EndingRoutesTests {
    @Test("who reads on from a number gets what ended since, each ending asked for once")
    func readsOn() async throws {
        try await withServer { server in
            try await server.addFiles(3)
            try await server.engine.store(1)
            try await server.engine.look(1, faces: [])
            _ = try await server.send("POST", "/v1/jobs/2/cancel")
            let page: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?ended_after=0").decoded()
            #expect(page.items.map(\.id) == [1, 2] && page.total == 2 && page.oldest == 0)
            #expect(page.items.map(\.ending) == ["done", "cancelled"])
            let numbers = page.items.compactMap(\.ended)
            #expect(numbers.count == 2 && numbers == numbers.sorted() && page.newest == numbers.last)
            #expect(try await server.job(1) == page.items[0])
            let third = try await server.job(3)
            #expect(third.ended == nil && third.ending == nil)
            let all: PageJSON<JobJSON> = try await server.send(
                "GET",
                "/v1/jobs?ended_after=0&ending=cancelled,stored,done&limit=2"
            ).decoded()
            #expect(all.items.map(\.ending) == ["stored", "done"] && all.hasMore && all.total == 3)
            let next = try #require(all.next)
            let rest: PageJSON<JobJSON> = try await server.send(
                "GET",
                "/v1/jobs?ended_after=0&ending=cancelled,stored,done&limit=2&after=\(next)"
            ).decoded()
            #expect(rest.items.map(\.ending) == ["cancelled"] && rest.next == nil)
            let none: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?ended_after=\(numbers[1])")
                .decoded()
            #expect(none.items.isEmpty && none.total == 0)
            _ = try await server.send("POST", "/v1/jobs/2/retry")
            #expect(try await server.job(2).ended == nil)
            let failed: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?ending=failed").decoded()
            #expect(failed.items.isEmpty && failed.oldest == 0)
            let plain = try await server.send("GET", "/v1/jobs")
            #expect(!plain.text.contains("oldest"))
        }
    }

    @Test(
        "what makes no sense is refused",
        arguments: [
            "ended_after=-1", "ended_after=", "ending=", "ending=ended", "ending=done,", "ending=Done",
        ]
    )
    func refuses(query: String) async throws {
        try await withServer { server in
            let response = try await server.send("GET", "/v1/jobs?" + query)
            #expect(response.status == 400)
            #expect(try response.decoded(as: ProblemJSON.self).code == "invalid_parameter")
        }
    }

    @Test("what a job was added with comes back with it, and only the daemon's own feeders name a source")
    func meta() async throws {
        try await withServer { server in
            let meta = #"{ "sol": 1000, "camera": {"name": "FHAZ"}, "big": 9007199254740993 }"#
            let posted = try await server.send(
                "POST",
                "/v1/batches",
                "{\"items\":[{\"url\":\"http://e.org/a\",\"meta\":\(meta)},{\"url\":\"http://e.org/b\",\"meta\":null}]}"
            )
            #expect(posted.status == 201)
            let response = try await server.send("GET", "/v1/jobs/1")
            #expect(
                response.text.contains(
                    #""meta":{"big":9007199254740993,"camera":{"name":"FHAZ"},"sol":1000}"#
                )
            )
            let job = try await server.job(2)
            #expect(job.meta == nil && job.source == nil && job.itemKey == nil)
            for member in [#""source":"mars""#, #""item_key":"1""#] {
                let refused = try await server.send(
                    "POST",
                    "/v1/batches",
                    "{\"items\":[{\"url\":\"http://e.org/a\",\(member)}]}"
                )
                #expect(refused.status == 422)
            }
            var options = JobOptions(source: "mars", itemKey: "sol/1")
            options.meta = try JobMeta([(key: "a", value: "b")])
            let item = NewJob(url: try JobURL("http://e.org/c"), options: options)
            _ = try await server.engine.engine.submit(Submission(items: [item], submittedBy: nil))
            let fed = try await server.job(3)
            #expect(fed.source == "mars" && fed.itemKey == "sol/1" && fed.meta?.text == #"{"a":"b"}"#)
        }
    }

    @Test(
        "meta that is no object or too large is refused, with what is wrong",
        arguments: [
            ("[]", "an object"), ("\"a\"", "an object"), ("1", "an object"),
            ("{\"a\":\"" + String(repeating: "b", count: 4090) + "\"}", "4096"),
            ("{\"a\":" + String(repeating: "[", count: 8) + String(repeating: "]", count: 8) + "}", "deeper"),
        ]
    )
    func refusesMeta(meta: String, reason: String) async throws {
        try await withServer { server in
            let response = try await server.send(
                "POST",
                "/v1/batches",
                "{\"items\":[{\"url\":\"http://e.org/a\",\"meta\":\(meta)}]}"
            )
            #expect(response.status == 422)
            let problem = try response.decoded(as: ProblemJSON.self)
            #expect(problem.errors?.first?.field == "meta")
            #expect(problem.errors?.first?.reason.contains(reason) == true, "\(problem.detail)")
        }
    }
}
