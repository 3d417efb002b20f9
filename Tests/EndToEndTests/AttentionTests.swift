import ControlAPI
import Foundation
import TestSupport
import Testing

/// Tests that what somebody looks at comes first, through the real daemon.
@Suite(.timeLimit(.minutes(2))) struct AttentionTests {
    private static let size = 1_000_000

    @Test("A file in view takes the place of one that nobody looks at, of which no byte is fetched twice")
    func displacement() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let gate = OriginGate()
        let files = (1...6).map { OriginFile(seed: UInt64($0), count: Self.size) }
        for (number, file) in zip(1..., files) {
            origin.serve("/\(number).jpg") { request in
                let answer = file.answer(to: request)
                return number == 6
                    ? answer : answer.held(beforeByte: (request.range?.first ?? 0) + 500_000, by: gate)
            }
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: [
            "FACEFETCH_TRANSFER_CONCURRENCY": "2", "FACEFETCH_TRANSFER_SEGMENTS": "1",
            "FACEFETCH_DETECTION_WHEN": "held",
        ])
        let follower = try installation.follow()
        let items = (1...6).map { "{\"url\":\"\(origin.url("/\($0).jpg"))\"}" }.joined(separator: ",")
        let batch = try await HTTPClient.send(
            "POST",
            "/v1/batches",
            "{\"items\":[\(items)]}",
            to: installation.socket
        )
        #expect(batch.status == 201)
        #expect(await follower.outputLine(containing: "downloading \"2.jpg\", 50% done") != nil)
        let answer = try await HTTPClient.send(
            "PUT",
            "/v1/attention/tab",
            #"{"visible":[6],"near":[5]}"#,
            to: installation.socket
        )
        #expect(try answer.decoded(as: AttentionJSON.self).lease == 15)
        // The others hold both permits for as long as they like.
        // The one that gave way may have gone on, to its end, before this one is stored.
        var stored = 0
        var isThere = false
        while !isThere {
            let line: String? = await follower.outputLine(containing: "stored \"")
            isThere = try #require(line).contains("stored \"6.jpg\"")
            stored += 1
        }
        gate.open()
        // In whatever order.
        for _ in stored..<6 { #expect(await follower.outputLine(containing: "stored \"") != nil) }
        follower.signal(SIGKILL)
        #expect(await daemon.stop() == 0)
        for (number, file) in zip(1..., files) {
            #expect(try installation.document("\(number).jpg") == file.bytes)
        }
        let second = origin.requests("/2.jpg")
        #expect(second.count == 2 && (second.last?.range?.first ?? 0) >= 500_000)
        #expect(second.last?.header("if-range") == "\"v1\"")
        #expect(origin.requests("/1.jpg").count == 1)
    }
}
