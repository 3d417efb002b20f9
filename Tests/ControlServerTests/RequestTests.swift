import ControlAPI
import TestSupport
import Testing

@testable import ControlServer

@Suite("What any request must keep to")
struct RequestTests {
    @Test(
        "there is nothing at other paths",
        arguments: [
            "/", "/v1", "/v1/", "/v2/jobs", "/v1/jobs/", "/v1/jobs/0", "/v1/jobs/x", "/v1/jobs/1/stop",
            "/v1/jobs/1/pause/x", "/v1/batches/01", "//v1/jobs",
        ]
    )
    func notFound(path: String) async throws {
        try await withServer { server in
            let response = try await server.send("GET", path)
            #expect(response.status == 404)
            let problem = try response.decoded(as: ProblemJSON.self)
            #expect(problem.code == "not_found")
        }
    }

    @Test("another method is answered with those there are")
    func methods() async throws {
        try await withServer { server in
            for (method, path, allowed) in [
                ("DELETE", "/v1/jobs/1", "GET, PATCH"), ("GET", "/v1/jobs/pause", "POST"),
                ("PUT", "/v1/batches", "GET, POST"),
                ("HEAD", "/v1/events", "GET"),
            ] {
                let response = try await server.send(method, path)
                #expect(response.status == 405 && response.fields["allow"] == allowed)
            }
        }
    }

    @Test("a HEAD is answered as a GET, without the body")
    func head() async throws {
        try await withServer { server in
            var client = try server.client()
            // What it answers is the same each time.
            let head = try await client.send("HEAD", "/v1/openapi.json")
            let get = try await client.send("GET", "/v1/openapi.json")
            #expect(head.status == 200 && head.body.isEmpty && get.status == 200)
            #expect(head.fields["content-length"] == get.fields["content-length"])
        }
    }

    @Test("requests from web pages, and those for other hosts, are refused")
    func origin() async throws {
        try await withServer { server in
            let page = try await server.send("GET", "/v1/status", fields: ["Origin": "http://localhost"])
            #expect(page.status == 403)
            let problem = try page.decoded(as: ProblemJSON.self)
            #expect(problem.code == "forbidden_origin")
            for (host, status) in [
                ("localhost", 200), ("LOCALHOST:8080", 200), ("", 200), ("example.org", 403),
                ("localhost.example.org", 403),
                ("127.0.0.1", 403), ("localhost:x", 403), ("localhost:80:80", 403),
            ] {
                let response = try await server.send("GET", "/v1/status", fields: ["Host": host])
                #expect(response.status == status, "\(host)")
            }
        }
    }

    @Test(
        "A target that names a host itself has to name localhost, whatever Host says",
        arguments: [
            ("http://localhost/v1/status", 200), ("http://LOCALHOST:80/v1/status", 200),
            ("http://example.org/v1/status", 403), ("http://localhost@example.org/v1/status", 403),
            ("ftp://example.org/v1/status", 404), ("ftp://localhost/v1/status", 404), ("*", 404),
            ("localhost/v1/status", 400),
        ]
    )
    func absoluteForm(target: String, status: Int) async throws {
        try await withServer { server in
            let response = try await server.send("GET", target)
            #expect(response.status == status)
        }
    }

    @Test(
        "HTTP/1.1 names one Host, neither none nor two; HTTP/1.0 may do without",
        arguments: [
            ("HTTP/1.1", "", 400), ("HTTP/1.1", "Host: localhost\r\nHost: localhost\r\n", 400),
            ("HTTP/1.1", "Host: localhost\r\nX: y\r\nhOST: example.org\r\n", 400),
            ("HTTP/1.0", "Host: localhost\r\nHost: localhost\r\n", 400), ("HTTP/1.0", "", 200),
            ("HTTP/1.0", "Host: localhost\r\n", 200), ("HTTP/1.0", "Host: example.org\r\n", 403),
            ("HTTP/1.1", "hOST: localhost\r\n", 200), ("HTTP/1.1", "Host:\r\n", 200),
        ]
    )
    func host(version: String, fields: String, status: Int) async throws {
        try await withServer { server in
            var client = try server.client()
            try await client.connection.send("GET /v1/status \(version)\r\n\(fields)\r\n")
            let response = try await client.response()
            #expect(response.status == status)
            guard status == 400 else { return }
            let problem = try response.decoded(as: ProblemJSON.self)
            #expect(problem.code == "malformed_request" && problem.detail.contains("Host") == true)
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded, "nothing behind such a request is believed")
        }
    }

    @Test(
        "A client that wants no further answer on its connection hears its end",
        arguments: [
            ("HTTP/1.0", ""), ("HTTP/1.1", "Connection: close\r\n"),
            ("HTTP/1.1", "Connection: x, Close\r\n"),
        ]
    )
    func lastOne(version: String, fields: String) async throws {
        try await withServer { server in
            var client = try server.client()
            try await client.connection.send("GET /v1/status \(version)\r\nHost: localhost\r\n\(fields)\r\n")
            let response = try await client.response()
            #expect(response.status == 200)
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("A request without a Host costs none of those before it on its connection their answers")
    func hostBehindOthers() async throws {
        try await withServer { server in
            var client = try server.client()
            let good = HTTPClient.request("GET", "/v1/status")
            try await client.connection.send(
                good + good + "POST /v1/batches HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}" + good
            )
            var statuses: [Int] = []
            for _ in 1...3 { statuses.append(try await client.response().status) }
            #expect(statuses == [200, 200, 400])
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("only JSON is taken, or what curl calls a form where nobody says otherwise")
    func mediaType() async throws {
        try await withServer { server in
            let body = #"{"items":[{"url":"http://example.org/a.jpg"}]}"#
            for (type, status) in [
                ("application/json; charset=utf-8", 201), ("APPLICATION/JSON", 201),
                ("application/x-www-form-urlencoded", 201),
                ("text/plain", 415), ("multipart/form-data; boundary=x", 415),
            ] {
                let response = try await server.send(
                    "POST",
                    "/v1/batches",
                    body,
                    fields: ["Content-Type": type]
                )
                #expect(response.status == status, "\(type)")
            }
        }
    }

    @Test("a body past the limit is refused, announced or not, and the answer is heard")
    func bodyLimit() async throws {
        var configuration = testConfiguration()
        configuration.maximumBodySize = 1000
        try await withServer(configuration) { server in
            let announced = try await server.send("POST", "/v1/batches", String(repeating: " ", count: 1001))
            #expect(announced.status == 413 && announced.fields["connection"] == "close")
            for length in ["9223372036854775808", "18446744073709551615"] {
                var giant = try server.client()
                try await giant.connection.send(
                    "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n"
                )
                let refused = try await giant.response()
                #expect(refused.status == 413)
            }
            var client = try server.client()
            try await client.connection.send(
                "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            for _ in 1...3 {
                try await client.connection.send("1f4\r\n\(String(repeating: " ", count: 500))\r\n")
            }
            let chunked = try await client.response()
            #expect(chunked.status == 413)
            let problem = try chunked.decoded(as: ProblemJSON.self)
            #expect(problem.code == "body_too_large")
        }
    }

    @Test("a client that waits for leave to send its body gets it, or the refusal")
    func expects() async throws {
        var configuration = testConfiguration()
        configuration.maximumBodySize = 1000
        try await withServer(configuration) { server in
            let body = #"{"items":[{"url":"http://example.org/a.jpg"}]}"#
            var client = try server.client()
            try await client.connection.send(
                "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n"
            )
            let leave = try await client.response()
            #expect(leave.status == 100)
            try await client.connection.send(body)
            let accepted = try await client.response()
            #expect(accepted.status == 201)
            var other = try server.client()
            try await other.connection.send(
                "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n"
            )
            let refused = try await other.response()
            #expect(refused.status == 413)
        }
    }

    @Test("one connection serves request after request, also when they come all at once")
    func keepsConnection() async throws {
        try await withServer { server in
            var client = try server.client()
            for _ in 1...3 { _ = try await client.send("GET", "/v1/status") }
            let request = HTTPClient.request("GET", "/v1/status")
            try await client.connection.send(request + HTTPClient.request("GET", "/nothing") + request)
            let statuses = [
                try await client.response().status, try await client.response().status,
                try await client.response().status,
            ]
            #expect(statuses == [200, 404, 200])
        }
    }

    @Test("a client that closes its half after asking still gets its answer")
    func halfClosed() async throws {
        try await withServer { server in
            var client = try server.client()
            try await client.connection.send(HTTPClient.request("GET", "/v1/status"))
            client.connection.finishSending()
            let response = try await client.response()
            #expect(response.status == 200)
        }
    }

    @Test("a client that asks very often before it closes its half gets all answers, in order")
    func halfClosedAfterMany() async throws {
        try await withServer { server in
            var client = try server.client()
            let paths = (0..<400).map { $0.isMultiple(of: 7) ? "/nothing" : "/v1/status" }
            // More than is read at once, in one piece.
            try await client.connection.send(paths.map { HTTPClient.request("GET", $0) }.joined())
            client.connection.finishSending()
            for path in paths {
                let response = try await client.response()
                #expect(response.status == (path == "/nothing" ? 404 : 200))
            }
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test(
        "what is no HTTP is answered with a problem, too, and the connection ended",
        arguments: [
            "GARBAGE\r\n\r\n", "\u{16}\u{3}\u{1}", "get /v1/status HTTP/1.1\r\n\r\n",
            "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nBad Field: x\r\n\r\n",
            "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
            "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n",
            "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{",
        ]
    )
    func malformed(request: String) async throws {
        try await withServer { server in
            var client = try server.client()
            try await client.connection.send(request)
            client.connection.finishSending()
            let response = try await client.response()
            #expect(response.status == 400 && response.fields["connection"] == "close")
            #expect(response.fields["content-type"] == "application/problem+json")
            let problem = try response.decoded(as: ProblemJSON.self)
            #expect(problem.code == "malformed_request" && problem.status == 400)
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("too many header fields are refused with a code of their own")
    func manyFields() async throws {
        try await withServer { server in
            var fields: [String: String] = [:]
            for number in 0...100 { fields["X-\(number)"] = "a" }
            let response = try await server.send("GET", "/v1/status", fields: fields)
            #expect(response.status == 431)
        }
    }
}
