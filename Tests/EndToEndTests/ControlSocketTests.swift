import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The control socket of the real daemon")
struct ControlSocketTests {
    private static func body(_ urls: String...) -> String {
        "{\"items\":[" + urls.map { "{\"url\":\"\($0)\"}" }.joined(separator: ",") + "]}"
    }

    private static func figure(_ name: String, at path: String) async throws -> Int {
        let metrics = try await HTTPClient.send("GET", "/v1/metrics", to: path).text
        let line = try #require(metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") })
        return try #require(Int(line.dropFirst(name.count + 1)))
    }

    @Test("Every route answers, and every refusal is a problem with its code")
    func routes() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 1000))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let added = try await installation.facefetch("add", "--wait", origin.url("/a.jpg"))
        #expect(added.status == 0)
        // Nobody answers there, so the job waits and can be steered.
        let gone = Self.body("http://127.0.0.1:9/gone.jpg")
        let requests: [(String, String, String?, Int, ProblemCode?)] = [
            ("GET", "/v1/status", nil, 200, nil), ("HEAD", "/v1/status", nil, 200, nil),
            ("GET", "/v1/metrics", nil, 200, nil), ("GET", "/v1/openapi.json", nil, 200, nil),
            ("GET", "/v1/events?after=0&follow=false", nil, 200, nil),
            ("POST", "/v1/batches", gone, 201, nil), ("GET", "/v1/batches", nil, 200, nil),
            ("GET", "/v1/batches?limit=1&after=1", nil, 200, nil), ("GET", "/v1/batches/1", nil, 200, nil),
            ("GET", "/v1/jobs?state=done&batch=1&q=a.jpg&limit=1", nil, 200, nil),
            ("GET", "/v1/jobs/1", nil, 200, nil), ("PATCH", "/v1/jobs/2", "{\"priority\":5}", 200, nil),
            ("POST", "/v1/jobs/2/cancel", nil, 200, nil), ("POST", "/v1/jobs/2/retry", nil, 200, nil),
            ("POST", "/v1/jobs/2/pause", nil, 200, nil), ("POST", "/v1/jobs/2/resume", nil, 200, nil),
            ("POST", "/v1/jobs/1/detect", nil, 200, nil), ("POST", "/v1/jobs/pause", nil, 200, nil),
            ("POST", "/v1/jobs/resume", nil, 200, nil), ("POST", "/v1/jobs/cancel", nil, 200, nil),
            ("POST", "/v1/jobs/retry", nil, 200, nil), ("POST", "/v1/jobs/detect", nil, 200, nil),
            ("POST", "/v1/detection/hold", nil, 200, nil), ("POST", "/v1/detection/release", nil, 200, nil),
            ("GET", "/v1/nothing", nil, 404, .notFound), ("GET", "/v1/jobs/99", nil, 404, .noSuchJob),
            ("POST", "/v1/jobs/99/pause", nil, 404, .noSuchJob),
            ("GET", "/v1/batches/99", nil, 404, .noSuchBatch),
            ("GET", "/v1/events?batch=99", nil, 404, .noSuchBatch),
            ("DELETE", "/v1/jobs/1", nil, 405, .methodNotAllowed),
            ("POST", "/v1/batches", "{", 400, .malformedJSON),
            ("GET", "/v1/jobs?limit=0", nil, 400, .invalidParameter),
            ("POST", "/v1/batches", "{\"items\":[]}", 422, .invalidRequest),
            ("POST", "/v1/batches", Self.body("ftp://a/b"), 422, .invalidItems),
            ("POST", "/v1/jobs/2/detect", nil, 409, .notPossible),
            ("G T", "/v1/status", nil, 400, .malformedRequest),
            ("GET", "/v1/" + String(repeating: "a", count: 100_000), nil, 431, .headerTooLarge),
        ]
        for (method, target, body, status, code) in requests {
            let response = try await HTTPClient.send(method, target, body, to: installation.socket)
            #expect(response.status == status, "\(method) \(target.prefix(60)): \(response.text.prefix(300))")
            if let code { try expect(response, code) }
        }
        let fields: [([String: String], ProblemCode)] = [
            (["Origin": "http://localhost"], .forbiddenOrigin), (["Host": "example.org"], .forbiddenHost),
            (["Content-Type": "text/plain"], .unsupportedMediaType),
            (["Content-Length": "999999999"], .bodyTooLarge),
        ]
        for (fields, code) in fields {
            let target = "/v1/batches"
            let response = try await HTTPClient.send("POST", target, fields: fields, to: installation.socket)
            try expect(response, code)
        }
        #expect(await daemon.stop() == 0)
    }

    private func expect(_ response: HTTPClient.Response, _ code: ProblemCode) throws {
        #expect(response.fields["content-type"] == "application/problem+json")
        let problem = try response.decoded(as: ProblemJSON.self)
        #expect(problem.code == code.rawValue && response.status == code.status)
        #expect(problem.status == code.status && problem.title == code.title && !problem.detail.isEmpty)
    }

    @Test("A repeated post is answered as the first was, across a kill; another body with its key is not")
    func idempotency() async throws {
        let installation = try Installation()
        let first = try await installation.startDaemon()
        let fields = ["Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"]
        let body = Self.body("http://127.0.0.1:9/a.jpg", "http://127.0.0.1:9/b.jpg")
        func post(_ body: String) async throws -> HTTPClient.Response {
            try await HTTPClient.send("POST", "/v1/batches", body, fields: fields, to: installation.socket)
        }
        let accepted: BatchJSON = try await post(body).decoded()
        #expect(accepted.submittedBy == getuid())
        first.signal(SIGKILL)
        #expect(await first.status == -SIGKILL)
        let second = try await installation.startDaemon()
        let repeated = try await post(body)
        #expect(repeated.status == 201)
        let batch: BatchJSON = try repeated.decoded()
        #expect(
            batch.id == accepted.id && batch.jobs == accepted.jobs && batch.createdAt == accepted.createdAt
        )
        let other = try await post(Self.body("http://127.0.0.1:9/c.jpg"))
        #expect(other.status == 422)
        try expect(other, .idempotencyKeyReused)
        let page: PageJSON<BatchJSON> = try await HTTPClient.send(
            "GET",
            "/v1/batches",
            to: installation.socket
        )
        .decoded()
        #expect(page.total == 1)
        #expect(await second.stop() == 0)
    }

    @Test("A follower that comes back after a kill gets what it missed, each event once, without a hole")
    func replay() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for number in 1...6 { origin.serve("/\(number).bin", OriginFile(seed: UInt64(number), count: 5000)) }
        let installation = try Installation()
        let first = try await installation.startDaemon()
        _ = try await installation.facefetch("add", "--wait", origin.url("/1.bin"), origin.url("/2.bin"))
        var follower = try await EventClient(path: installation.socket, lastEventID: "0")
        var ids: [Int64] = []
        while ids.count < 7, let event = try await follower.next() {
            ids += event.id.flatMap { Int64($0) }.map { [$0] } ?? []
        }
        _ = try await installation.facefetch("add", origin.url("/3.bin"), origin.url("/4.bin"))
        first.signal(SIGKILL)
        #expect(await first.status == -SIGKILL)
        let second = try await installation.startDaemon()
        _ = try await installation.facefetch("add", "--wait", origin.url("/5.bin"), origin.url("/6.bin"))
        let last = try #require(ids.last)
        var again = try await EventClient(path: installation.socket, lastEventID: "\(last)")
        var done = Set<Int64>()
        while done.count < 6 - 2, let event = try await again.next() {
            guard let id = event.id.flatMap({ Int64($0) }) else { continue }
            ids.append(id)
            let data: EventJSON = try event.decoded()
            let isOver = data.kind == .detectionFinished || data.kind == .detectionFailed
            if isOver, data.job > 2 { done.insert(data.job) }
        }
        #expect(ids == Array(1...Int64(ids.count)))
        #expect(await second.stop() == 0)
    }

    @Test("1,000 idle connections, halves of requests and readers that don't read hold nobody up")
    func crowd() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 200_000))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let before = try await Self.figure("process_open_fds", at: installation.socket)
        do {
            var crowd: [UnixConnection] = []
            for number in 0..<1000 {
                let connection = try UnixConnection(path: installation.socket)
                switch number % 10 {
                case 0:
                    try await connection.send("POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Le")
                case 1: try await connection.send(HTTPClient.request("GET", "/v1/events?after=0"))
                default: break
                }
                crowd.append(connection)
            }
            let added = try await installation.facefetch("add", "--wait", origin.url("/a.jpg"))
            #expect(added.status == 0, "\(added.errors)")
            #expect(try await Self.figure("facefetch_control_connections", at: installation.socket) >= 1000)
            withExtendedLifetime(crowd) {}
        }
        try await Self.untilConnectionsAreGone(at: installation.socket)
        #expect(try await Self.figure("process_open_fds", at: installation.socket) <= before + 20)
        #expect(await daemon.stop() == 0)
    }

    /// Returns when this connection is the only one.
    private static func untilConnectionsAreGone(at path: String) async throws {
        while try await figure("facefetch_control_connections", at: path) > 1 {}
    }

    /// The number of bad requests that are made; `FACEFETCH_FUZZ_REQUESTS` sets it.
    private static let badRequests =
        ProcessInfo.processInfo.environment["FACEFETCH_FUZZ_REQUESTS"].flatMap { Int($0) } ?? 1500

    @Test("Garbage of any kind ends its own connection only, and leaves no descriptor behind")
    func garbage() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        var random = SeededGenerator(seed: 20_261_121)
        let before = try await Self.figure("process_open_fds", at: installation.socket)
        for _ in 0..<Self.badRequests {
            let client = try UnixConnection(path: installation.socket)
            // The daemon may end the connection before all is said.
            try? await client.send(Garbage.request(&random))
            client.finishSending()
            while let bytes = try? await client.receive(), !bytes.isEmpty {}
        }
        try await Self.untilConnectionsAreGone(at: installation.socket)
        #expect(try await Self.figure("process_open_fds", at: installation.socket) <= before + 2)
        #expect(await daemon.stop() == 0)
    }
}
