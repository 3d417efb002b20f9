import ControlAPI
import Foundation
import TestSupport
import Testing

/// Servers that fall silent or crawl, under settings that say how long that may go on.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SlowServerTests {
    /// The messages of the event log, each with its job in front.
    private func messages(_ installation: Installation) throws -> [String] {
        try installation.eventLog().map { line in
            let parts = line.split(separator: " ", maxSplits: 4)
            return parts.count == 5 ? "\(parts[2]) \(parts[4])" : line
        }
    }

    @Test("A transfer that falls silent gives up its only permit to the next, and is finished later")
    func givesUpItsPermit() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let first = OriginFile(seed: 1, count: 50_000)
        let second = OriginFile(seed: 2, count: 5000)
        let gate = OriginGate()
        defer { gate.open() }
        origin.serve("/first.jpg") { request in
            let answer = first.answer(to: request)
            let rest = 20_000 - (request.range?.first ?? 0)
            return rest > 0 ? answer.held(beforeByte: rest, by: gate) : answer.held(by: gate)
        }
        origin.serve("/second.jpg", second)
        let installation = try Installation()
        let daemon = try await installation.startDaemon(
            environment: ["FACEFETCH_TRANSFER_CONCURRENCY": "1", "FACEFETCH_TRANSFER_STALL_TIME": "3 s"]
        )
        _ = try await installation.facefetch("add", origin.url("/first.jpg"), origin.url("/second.jpg"))
        #expect(await daemon.errorLine(containing: "stored \"second.jpg\"") != nil)
        gate.open()
        #expect(await daemon.errorLine(containing: "stored \"first.jpg\"") != nil)
        #expect(await daemon.stop() == 0)
        for (name, file) in [("first.jpg", first), ("second.jpg", second)] {
            let isWhole = try installation.document(name) == file.bytes
            #expect(isWhole, "\(name)")
        }

        // When the second came the first waited, and it went on only when the permit was free again.
        let log = try messages(installation)
        let began = try #require(log.firstIndex { $0.hasPrefix("j2 started download") })
        let ended = try #require(log.firstIndex { $0 == "j2 downloading \"second.jpg\", 100% done" })
        let before = log[..<began].last { $0.hasPrefix("j1 ") }
        #expect(before?.hasPrefix("j1 waiting to retry \"first.jpg\"") == true, "\(log)")
        #expect(before?.hasSuffix("sent almost nothing for too long") == true, "\(log)")
        #expect(!log[began...ended].contains { $0.hasPrefix("j1 resumed") || $0.hasPrefix("j1 downloading") })
        #expect(log[ended...].contains { $0.hasPrefix("j1 resumed download") })
    }

    @Test("A server that never answers the handshake is given up after the time for connecting")
    func silentHandshake() async throws {
        // It reads, and waits for the end of a request that never comes.
        let origin = try Origin.start()
        defer { origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(
            environment: ["FACEFETCH_TRANSFER_CONNECT_TIMEOUT": "1 s", "FACEFETCH_TRANSFER_TRIES": "2"]
        )
        let place = "127.0.0.1:\(origin.port)"
        let clock = ContinuousClock()
        let began = clock.now
        _ = try await installation.facefetch("add", "https://\(place)/a.jpg")
        let waits = await daemon.errorLine(containing: "waiting to retry \"a.jpg\"")
        #expect(waits?.hasSuffix("connecting to \(place) took too long") == true, "\(waits ?? "")")
        #expect(clock.now - began >= .seconds(1))
        let fails = await daemon.errorLine(containing: "failed download of")
        #expect(fails?.contains(": timed_out, connecting to \(place) took too long") == true)
        #expect(clock.now - began >= .seconds(2))
        #expect((1...2).contains(origin.connectionCount))
        #expect(origin.requests.isEmpty)
        #expect(await daemon.stop() == 0)
    }

    @Test("A body slower than the stall speed is stalled, though it never stops")
    func crawls() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        // Above the stall speed that holds without a setting, and far below this one.
        let file = OriginFile(seed: 1, count: 400_000)
        origin.serve("/a.jpg") { file.answer(to: $0).paced(bytesPerSecond: 4000) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(
            environment: ["FACEFETCH_TRANSFER_STALL_SPEED": "10 kB", "FACEFETCH_TRANSFER_STALL_TIME": "1 s"]
        )
        let clock = ContinuousClock()
        let began = clock.now
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        let waits = await daemon.errorLine(containing: "waiting to retry \"a.jpg\"")
        #expect(waits?.hasSuffix("sent almost nothing for too long") == true, "\(waits ?? "")")
        #expect(clock.now - began >= .seconds(1))
        #expect(await daemon.errorLine(containing: "resumed download of \"a.jpg\" at byte ") != nil)
        #expect(await daemon.stop() == 0)
    }
}
