import ControlAPI
import Foundation
import TestSupport
import Testing

extension Alone {
    /// The daemon is killed at random moments while a source walks a list that shifts.
    ///
    /// SOURCE_KILLS and SOURCE_ITEMS set how often, and how long the list is.
    @Suite(.serialized) struct SourceTortureTests {}
}

extension Alone.SourceTortureTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test("However often the daemon is killed on a list that shifts, every item is a job, once")
    func survivesKills() async throws {
        let kills = Self.setting("SOURCE_KILLS") ?? 5
        let count = Self.setting("SOURCE_ITEMS") ?? 800
        let list = try ListOrigin(count: count, pageSize: 40)
        defer { list.origin.stop() }
        let installation = try Installation()
        let environment = Installation.plain.merging(["FACEFETCH_TRANSFER_PER_HOST": "64"]) { $1 }
        var generator = SystemRandomNumberGenerator()
        for kill in 0..<kills {
            let daemon = try await installation.startDaemon(environment: environment)
            if kill == 0 {
                try await installation.addSource(list.recipe(more: "order: newest-first\nahead: 100000"))
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...150, using: &generator)))
            list.insert(Int.random(in: 0...3, using: &generator))
            daemon.signal(SIGKILL)
            _ = await daemon.status
        }
        let daemon = try await installation.startDaemon(environment: environment)
        _ = try #require(try await installation.source { $0.state.code == .ended })
        // What came in front of the last walk's first page is for the next.
        _ = try await installation.facefetch("source", "poll", "list")
        _ = try #require(try await installation.source { $0.state.code == .ended })
        let keys = try await installation.allJobs().compactMap(\.itemKey)
        #expect(keys.count == Set(keys).count)
        #expect(Set(keys) == Set(list.all.map(String.init)))
        #expect(await daemon.stop() == 0)
    }
}
