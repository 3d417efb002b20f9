import ControlAPI
import FoundationEssentials
import Glibc
import JobEngine
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Posting and reading batches")
struct BatchRoutesTests {
    @Test("a post is answered with the batch, the ids of its jobs and who asked")
    func accepts() async throws {
        try await withServer { server in
            let response = try await server.send(
                "POST",
                "/v1/batches",
                #"{"items":[{"url":"http://example.org/a.jpg"},{"url":"https://u:secret@example.org/b","name":"ä.jpg","priority":-3.0,"sha256":null}]}"#
            )
            #expect(response.status == 201)
            #expect(response.fields["location"] == "/v1/batches/1")
            let batch = try response.decoded(as: BatchJSON.self)
            #expect(batch.jobs == [1, 2])
            #expect(batch.submittedBy == geteuid())
            #expect(batch.states["queued"] == 2 && batch.states["failed"] == 0)
            let job: JobJSON = try await server.send("GET", "/v1/jobs/2").decoded()
            #expect(job.name == "ä.jpg" && job.priority == -3)
            #expect(job.url == "https://u:***@example.org/b")
            #expect(job.elapsed >= 5)
            let again: BatchJSON = try await server.send("GET", "/v1/batches/1").decoded()
            #expect(again.jobs == batch.jobs && again.submittedBy == batch.submittedBy)
            #expect(again.createdAt == batch.createdAt && again.elapsed >= batch.elapsed)
        }
    }

    @Test("every wrong item is named with its field and reason, and nothing is taken")
    func refusesItems() async throws {
        try await withServer { server in
            let response = try await server.send(
                "POST",
                "/v1/batches",
                """
                {"items":[{"url":"http://example.org/a"},{"url":"ftp://example.org/a"},{"url":"http://e.org/","name":"a/b",
                "priority":101},7,{"name":"x"},{"url":"http://e.org/","sha256":"12","colour":"red"},{"url":5}]}
                """
            )
            #expect(response.status == 422)
            #expect(response.fields["content-type"] == "application/problem+json")
            let problem = try response.decoded(as: ProblemJSON.self)
            #expect(problem.code == "invalid_items")
            #expect(
                problem.errors?.map { "\($0.index) \($0.field)" } == [
                    "1 url", "2 name", "2 priority", "3 item", "4 url", "5 sha256", "5 colour", "6 url",
                ]
            )
            #expect(try await server.jobCount() == 0)
        }
    }

    @Test("header fields and a rate go to the job; the fields are shown to nobody")
    func takesHeaders() async throws {
        try await withServer { server in
            let response = try await server.send(
                "POST",
                "/v1/batches",
                #"{"items":[{"url":"http://e.org/a","headers":{"Authorization":" Bearer s3cret ","X-A":""},"rate_limit":1000},{"url":"http://e.org/b","headers":null,"rate_limit":null}]}"#
            )
            #expect(response.status == 201)
            let first = try #require(try server.engine.store.jobs([JobID(rawValue: 1)]).first)
            #expect(first.headers.map(\.name) == ["Authorization", "X-A"])
            #expect(first.headers.map(\.value) == ["Bearer s3cret", ""])
            #expect(first.rateLimit == 1000)
            let shown = try await server.send("GET", "/v1/jobs/1")
            #expect(!shown.text.contains("s3cret") && !shown.text.contains("Authorization"))
            #expect(try shown.decoded(as: JobJSON.self).rateLimit == 1000)
        }
    }

    @Test(
        "a header field that can't be sent is refused with the item and its name, and never its value",
        arguments: [
            (#"{"Range":"bytes=0-s3cret"}"#, "Range"), (#"{"If-Range":"s3cret"}"#, "If-Range"),
            (#"{"HOST":"s3cret"}"#, "HOST"), (#"{"Content-Length":"s3cret"}"#, "Content-Length"),
            (#"{"Connection":"s3cret"}"#, "Connection"), (#"{"X":"s3cret\r\nHost: b"}"#, "X"),
            (#"{"X":"s3cret\u0000"}"#, "X"), (#"{"X Y":"s3cret"}"#, "X Y"), (#"{"":"s3cret"}"#, ""),
            (#"{"X-Number":5}"#, "X-Number"), (#"{"Cookie":"s3cret","cookie":"b"}"#, "cookie"),
        ]
    )
    func refusesHeaders(fields: String, name: String) async throws {
        try await withServer { server in
            let body =
                #"{"items":[{"url":"http://e.org/a"},{"url":"http://e.org/b","headers":"# + fields + "}]}"
            let response = try await server.send("POST", "/v1/batches", body)
            #expect(response.status == 422)
            let problem = try response.decoded(as: ProblemJSON.self)
            let error = try #require(problem.errors?.first)
            #expect(error.index == 1 && error.field == "headers")
            #expect(error.reason.hasPrefix("\"\(name)\": "))
            #expect(!response.text.contains("s3cret"))
            #expect(try await server.jobCount() == 0)
        }
    }

    @Test(
        "a rate is a number of bytes a second",
        arguments: ["0", "-1", "1.5", "\"9\"", "9e18"]
    )
    func refusesRates(rate: String) async throws {
        try await withServer { server in
            let body = #"{"items":[{"url":"http://e.org/a","rate_limit":"# + rate + "}]}"
            let response = try await server.send("POST", "/v1/batches", body)
            #expect(response.status == 422)
            #expect(try response.decoded(as: ProblemJSON.self).errors?.map(\.field) == ["rate_limit"])
        }
    }

    @Test(
        "a body of another shape is refused as a whole",
        arguments: [
            ("[]", 422, "invalid_request"), ("{}", 422, "invalid_request"),
            (#"{"items":[]}"#, 422, "invalid_request"), (#"{"items":{}}"#, 422, "invalid_request"),
            (#"{"items":[{"url":"http://e.org"}],"colour":1}"#, 422, "invalid_request"),
            ("", 400, "malformed_json"), (#"{"items":[}"#, 400, "malformed_json"),
            (#"{"items":[],"items":[]}"#, 400, "malformed_json"),
        ]
    )
    func refusesShapes(body: String, status: Int, code: String) async throws {
        try await withServer { server in
            let response = try await server.send("POST", "/v1/batches", body)
            #expect(response.status == status)
            #expect(try response.decoded(as: ProblemJSON.self).code == code)
        }
    }

    @Test("malformed JSON is answered with the line and column where it stops being JSON")
    func saysWhere() async throws {
        try await withServer { server in
            let response = try await server.send("POST", "/v1/batches", "{\n  \"items\": [oops]\n}")
            let problem = try response.decoded(as: ProblemJSON.self)
            #expect(problem.detail.hasSuffix("at line 2, column 13"))
        }
    }

    @Test("a repeated post with the same key is answered as the first; with another body it is refused")
    func isIdempotent() async throws {
        try await withServer { server in
            let body = #"{"items":[{"url":"http://example.org/a.jpg"}]}"#
            let first = try await server.send("POST", "/v1/batches", body, fields: ["Idempotency-Key": "k1"])
            let second = try await server.send("POST", "/v1/batches", body, fields: ["Idempotency-Key": "k1"])
            #expect(first.status == 201 && second.status == 201)
            let ids = try [first, second].map { try $0.decoded(as: BatchJSON.self).jobs }
            #expect(ids == [[1], [1]])
            let other = try await server.send(
                "POST",
                "/v1/batches",
                body + " ",
                fields: ["Idempotency-Key": "k1"]
            )
            #expect(other.status == 422)
            #expect(try other.decoded(as: ProblemJSON.self).code == "idempotency_key_reused")
            let bad = try await server.send(
                "POST",
                "/v1/batches",
                body,
                fields: ["Idempotency-Key": "two words"]
            )
            #expect(bad.status == 400)
        }
    }

    @Test("a post whose client goes away is carried out as that client's, and is known when it comes again")
    func isIdempotentForWhoWentAway() async throws {
        try await withServer { server in
            let body = #"{"items":[{"url":"http://example.org/a.jpg"}]}"#
            let rounds = 100
            for round in 1...rounds {
                let away = try UnixConnection(path: server.path)
                try await away.send(
                    "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k\(round)\r\n"
                        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                        + body
                )
            }
            for round in 1...rounds {
                let fields = ["Idempotency-Key": "k\(round)"]
                #expect(try await server.send("POST", "/v1/batches", body, fields: fields).status == 201)
            }
            let page: PageJSON<BatchJSON> = try await server.send("GET", "/v1/batches?limit=1000").decoded()
            #expect(page.items.count == rounds && page.items.allSatisfy { $0.submittedBy == geteuid() })
        }
    }

    @Test("what the engine refuses has a status of its own")
    func engineRefuses() async throws {
        try await withServer { server in
            let item = #"{"items":[{"url":"http://example.org/a.jpg"}]}"#
            server.engine.store.fail(with: .outOfSpace)
            let full = try await server.send("POST", "/v1/batches", item)
            #expect(full.status == 507)
            #expect(try full.decoded(as: ProblemJSON.self).code == "out_of_space")
            server.engine.store.fail(with: nil)
            await server.engine.engine.stop()
            let late = try await server.send("POST", "/v1/batches", item)
            #expect(late.status == 503)
            #expect(try late.decoded(as: ProblemJSON.self).code == "stopping")
        }
    }

    @Test(
        "batches come newest first where that is asked for, and without those of which nothing is left to do"
    )
    func unfinished() async throws {
        try await withServer { server in
            for _ in 1...4 { try await server.addFiles(2) }
            // One is over, one is half over, and one is paused.
            for path in ["batches/1/cancel", "jobs/3/cancel", "batches/3/pause"] {
                #expect(try await server.send("POST", "/v1/\(path)").status == 200)
            }
            for (query, ids, next) in [
                ("unfinished=true", [2, 3, 4], nil), ("unfinished=true&order=newest&limit=2", [4, 3], "3"),
                ("unfinished=true&order=newest&limit=2&after=3", [2], nil),
                ("order=newest", [4, 3, 2, 1], nil),
                ("unfinished=false", [1, 2, 3, 4], nil),
            ] as [(String, [Int64], String?)] {
                let page: PageJSON<BatchJSON> = try await server.send("GET", "/v1/batches?\(query)").decoded()
                #expect(page.items.map(\.id) == ids && page.next == next, "\(query)")
                #expect(page.total == (query.hasPrefix("unfinished=true") ? 3 : 4), "\(query)")
            }
            for query in ["unfinished=1", "order=name"] {
                #expect(try await server.send("GET", "/v1/batches?\(query)").status == 400, "\(query)")
            }
        }
    }

    @Test("batches come by ascending id, in pages")
    func pages() async throws {
        try await withServer { server in
            for _ in 1...3 { try await server.addFiles(1) }
            let page: PageJSON<BatchJSON> = try await server.send("GET", "/v1/batches?limit=2").decoded()
            #expect(page.items.map(\.id) == [1, 2] && page.total == 3 && page.hasMore && page.next == "2")
            let rest: PageJSON<BatchJSON> = try await server.send("GET", "/v1/batches?limit=2&after=2")
                .decoded()
            #expect(rest.items.map(\.id) == [3] && !rest.hasMore && rest.next == nil)
            let none = try await server.send("GET", "/v1/batches/4")
            #expect(none.status == 404)
        }
    }
}
