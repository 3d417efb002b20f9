import ControlAPI
import Foundation
import TestSupport
import Testing

extension Alone {
    /// Tests of how long the real daemon takes to be steered in the middle of its work.
    @Suite(.timeLimit(.minutes(2))) struct PromptSteeringTests {}
}

extension Alone.PromptSteeringTests {
    /// Asks by curl, and says what came and how many seconds it took.
    private func ask(
        _ method: String,
        _ path: String,
        _ installation: Installation,
        body: String? = nil
    ) async throws -> (JobJSON, Double) {
        let content = body.map { ["--header", "Content-Type: application/json", "--data", $0] } ?? []
        let result = try await Program.run(
            "/usr/bin/curl",
            [
                "--silent", "--unix-socket", installation.socket, "--request", method,
                "--write-out", "\n%{time_total}", "http://localhost" + path,
            ] + content
        )
        let lines = result.lines
        let answer = try #require(lines.first)
        let job = try #require(try? JSONDecoder().decode(JobJSON.self, from: Data(answer.utf8)), "\(answer)")
        return (job, try #require(lines.last.flatMap(Double.init)))
    }

    private func post(_ path: String, _ installation: Installation) async throws -> (JobJSON, Double) {
        try await ask("POST", path, installation)
    }

    @Test("An active transfer is paused, moved and let go within 100 ms, again and again, and loses no byte")
    func prompt() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 4, count: 400_000)
        let gate = OriginGate()
        origin.serve("/a.jpg") { request in
            let rest = 300_000 - (request.range?.first ?? 0)
            return rest > 0
                ? file.answer(to: request).held(beforeByte: rest, by: gate)
                : file.answer(to: request).held(by: gate)
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        #expect(await daemon.errorLine(containing: "70% done") != nil)
        var quickest = (pause: Double.infinity, resume: Double.infinity, move: Double.infinity)
        for priority in 1...5 {
            let change = "{\"priority\": \(priority)}"
            let (moved, move) = try await ask("PATCH", "/v1/jobs/1", installation, body: change)
            #expect(moved.priority == priority)
            #expect(moved.state == "queued" || moved.state == "downloading")
            let (paused, pause) = try await post("/v1/jobs/1/pause", installation)
            #expect(paused.state == "paused")
            // Once more changes nothing.
            #expect(try await post("/v1/jobs/1/pause", installation).0.state == "paused")
            let (resumed, resume) = try await post("/v1/jobs/1/resume", installation)
            #expect(resumed.state == "queued" || resumed.state == "downloading")
            quickest = (
                min(quickest.pause, pause), min(quickest.resume, resume), min(quickest.move, move)
            )
        }
        // The quickest of some: the machine may have other work.
        #expect(quickest.pause < 0.1 && quickest.resume < 0.1 && quickest.move < 0.1, "\(quickest)")
        gate.open()
        #expect(await daemon.errorLine(containing: "stored \"a.jpg\"") != nil)
        #expect(try installation.document("a.jpg") == file.bytes)
        #expect(await daemon.stop() == 0)
    }

    /// A kind of request of which each is about very many jobs.
    enum Bulk: CaseIterable, Sendable {
        case posts, steering, forgetting, leases
    }

    @Test("A hundred requests about very many jobs leave a pause under 200 ms", arguments: Bulk.allCases)
    func promptBesideOthers(_ kind: Bulk) async throws {
        let (requests, size) = (100, 400)
        let installation = try Installation()
        // Nothing is fetched, so that nothing but these requests is at work.
        let daemon = try await installation.startDaemon(
            environment: ["FACEFETCH_TRANSFER_TIMETABLE": "00:00 pause"]
        )
        let socket = installation.socket
        _ = try await installation.facefetch("add", "http://127.0.0.1:9/1.jpg", "http://127.0.0.1:9/2.jpg")
        let items = (1...size).map { "{\"url\":\"http://127.0.0.1:9/\($0).jpg\"}" }.joined(separator: ",")
        let body = "{\"items\":[\(items)]\(kind == .leases ? ",\"lease\":3600" : "")}"
        @Sendable func send(_ method: String, _ path: String, _ body: String? = nil) async throws {
            let answer = try await HTTPClient.send(method, path, body, to: socket)
            #expect(
                [200, 201].contains(answer.status),
                "\(path): \(String(decoding: answer.body, as: UTF8.self))"
            )
        }
        if kind != .posts { for _ in 1...requests { try await send("POST", "/v1/batches", body) } }
        if kind == .forgetting {
            for batch in 2...requests + 1 { try await send("POST", "/v1/batches/\(batch)/cancel") }
        }
        let times = try await withThrowingTaskGroup(of: Void.self) { group in
            for batch in 2...requests + 1 {
                group.addTask {
                    switch kind {
                    case .posts: try await send("POST", "/v1/batches", body)
                    case .steering: try await send("POST", "/v1/batches/\(batch)/pause")
                    case .forgetting: try await send("POST", "/v1/jobs/forget", "{\"batch\":\(batch)}")
                    case .leases: try await send("POST", "/v1/batches/\(batch)/renew", "{\"lease\":0}")
                    }
                }
            }
            var times: [Double] = []
            for count in 1...20 {
                let action = count.isMultiple(of: 2) ? "resume" : "pause"
                times.append(try await post("/v1/jobs/2/\(action)", installation).1)
            }
            try await group.waitForAll()
            return times.sorted()
        }
        // Half of them: the machine may have other work.
        #expect(times[times.count / 2] < 0.2, "\(times)")
        #expect(await daemon.stop() == 0)
    }

    @Test("An active transfer is cancelled within 100 ms, and once more changes nothing")
    func promptCancel() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 4, count: 400_000)
        let gates = (1...5).map { _ in OriginGate() }
        defer { for gate in gates { gate.open() } }
        for (index, gate) in gates.enumerated() {
            origin.serve("/\(index).jpg") { file.answer(to: $0).held(beforeByte: 300_000, by: gate) }
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        var quickest = Double.infinity
        for (index, gate) in gates.enumerated() {
            _ = try await installation.facefetch("add", origin.url("/\(index).jpg"))
            await gate.reached()
            let path = "/v1/jobs/\(index + 1)/cancel"
            let (cancelled, seconds) = try await post(path, installation)
            #expect(cancelled.state == "cancelled")
            #expect(try await post(path, installation).0.state == "cancelled")
            quickest = min(quickest, seconds)
        }
        // The quickest of some: the machine may have other work.
        #expect(quickest < 0.1)
        #expect(await daemon.stop() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: installation.partials).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: installation.documents).isEmpty)
    }
}
