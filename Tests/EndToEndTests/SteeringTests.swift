import ControlAPI
import Foundation
import TestSupport
import Testing

/// Steering the real daemon in the middle of its work.
@Suite(.timeLimit(.minutes(2)))
struct SteeringTests {
    @Test("A cancelled transfer's partial is gone; a finished job's document never is")
    func cancel() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 4, count: 400_000)
        let gate = OriginGate()
        defer { gate.open() }
        origin.serve("/a.jpg") { file.answer(to: $0).held(beforeByte: 300_000, by: gate) }
        origin.serve("/b.jpg", OriginFile(seed: 5, count: 3000))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        #expect(await daemon.errorLine(containing: "70% done") != nil)
        let answer = try await HTTPClient.send("POST", "/v1/jobs/1/cancel", to: installation.socket)
        #expect(try JSONDecoder().decode(JobJSON.self, from: Data(answer.body)).state == "cancelled")
        #expect(try await installation.facefetch("add", "--wait", origin.url("/b.jpg")).status == 0)
        #expect(try await installation.facefetch("cancel", "2").status != 0)
        #expect(try installation.document("b.jpg") == OriginContent.bytes(seed: 5, count: 3000))
        #expect(await daemon.stop() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: installation.partials).isEmpty)
    }
}
