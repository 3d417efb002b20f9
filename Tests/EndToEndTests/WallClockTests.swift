import Foundation
import TestSupport
import Testing

/// A wall clock that somebody sets while the daemon works.
@Suite(.enabled(if: FaultyDisk.isThere, Comment(rawValue: FaultyDisk.comment)), .timeLimit(.minutes(2)))
struct WallClockTests {
    private static let months: Int32 = 200 * 86_400

    @Test(
        "A step of months, back or forward, delays no retry, gives nothing up, and no time passes by it",
        arguments: [-months, months]
    )
    func step(seconds: Int32) async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 3, count: 5000)
        origin.serve("/a.jpg") { request in
            request.index < 2 ? OriginAnswer(503, [("Retry-After", "2")]) : file.answer(to: request)
        }
        let installation = try Installation()
        let disk = FaultyDisk(installation)
        let daemon = try await installation.startDaemon(environment: disk.environment)
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        let events = try installation.follow()
        #expect(await events.outputLine(containing: "waiting to retry \"a.jpg\" until ") != nil)
        try disk.setClock(by: seconds)
        #expect(await events.outputLine(containing: "stored \"a.jpg\" at ") != nil)
        events.signal(SIGKILL)
        // Nor does one that follows it learn another time.
        #expect(await daemon.stop() == 0)
        disk.heal()
        let next = try await installation.startDaemon(environment: disk.environment)
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        #expect(await next.stop() == 0)

        #expect(origin.requests("/a.jpg").count >= 3)
        let lines = try installation.eventLog().filter { $0.contains(" b1 ") }
        #expect(!lines.contains { $0.contains("failed") })
        let elapsed = lines.compactMap { Double($0.split(separator: " ")[3]) }
        #expect(elapsed.count == lines.count)
        #expect(elapsed == elapsed.sorted())
        #expect(try #require(elapsed.last) < 100)
        let times = lines.compactMap { $0.split(separator: " ").first }
        #expect(Set(times.map { $0.prefix(7) }).count == 2, "what people read is the clock on the wall")
    }
}
