import JobCore
import JobStore
import ListerProtocol
import SourceEngine
import TestSupport
import Testing

/// Pages that end the daemon, and clocks that are set while a source walks.
struct SourceAttemptTests {
    /// A store with a source that has read nothing.
    private static func make() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let bench = try SourceBench(path: directory.path("store.sqlite")) { _ in
            SourceBench.page("http://example.org/1.jpg", next: .end)
        }
        let order = RecipeOrder(SourceBench.recipe("one"), maySeeSecrets: false)
        let source = try await bench.engine.apply(order).source
        await bench.feed.untilRead(source.id)
        await bench.end()
        return directory
    }

    @Test("A page that ends the daemon is read three times in a row, and then after a wait that grows")
    func endsDaemon() async throws {
        let directory = try await Self.make()
        let reads = Shared(0)
        for run in 1...5 {
            // What reads the page never comes back, and neither does the daemon.
            let (reading, read) = AsyncStream<Void>.makeStream()
            let bench = try SourceBench(path: directory.path("store.sqlite")) { _ in
                reads.with { $0 += 1 }
                read.yield()
                read.finish()
                try? await Task.sleep(for: .seconds(600))
                return .failure(ListerFailure("reader_crashed", "the daemon has ended"))
            }
            try await bench.engine.load()
            bench.engine.start()
            if run == 1 { _ = try await bench.engine.steer(.poll, "one") }
            if run <= 3 {
                for await _ in reading {}
            } else {
                // It answers, and waits.
                let source = try await bench.engine.steer(.more, "one")
                #expect(source.condition == .waiting, "run \(run)")
                #expect(source.state.failure?.code == .readerCrashed)
                #expect(source.reason?.contains("3 times in a row") == true)
            }
            await bench.end()
        }
        #expect(reads.with { $0 } == 3)
        // Whoever asks for it has it read, and a page that is read is forgotten as an attempt.
        for _ in 1...2 {
            let bench = try SourceBench(path: directory.path("store.sqlite")) { _ in
                SourceBench.page("http://example.org/1.jpg", next: .end)
            }
            try await bench.engine.load()
            bench.engine.start()
            let source = try await bench.engine.steer(.poll, "one")
            await bench.feed.untilRead(source.id)
            #expect(try await bench.engine.steer(.more, "one").condition == .idle)
            await bench.end()
        }
    }
}
