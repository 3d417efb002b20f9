import JobModel
import JobStore
import SourceCore
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

    @Test(
        "A source walks on, rests and walks again by its own time, however the wall clock is set",
        arguments: [-365 * 86_400, 365 * 86_400] as [Double]
    )
    func wallClock(step: Double) async throws {
        let directory = try await Self.make()
        let clock = BenchClock()
        let asked = Shared<[Int]>([])
        let bench = try SourceBench(path: directory.path("store.sqlite"), clock: clock) { request in
            asked.with { $0.append(request.page) }
            // In the midst of each page, and of each walk.
            clock.step(seconds: step)
            return SourceBench.page(
                "http://example.org/\(request.page).jpg",
                next: request.page < 3 ? .url("?page=\(request.page + 1)") : .end
            )
        }
        try await bench.engine.load()
        bench.engine.start()
        let id = try await bench.engine.steer(.poll, "one").id
        for _ in 1...3 { await bench.feed.untilRead(id) }
        #expect(asked.with { $0 } == [1, 2, 3])
        // Six hours, varied by a tenth.
        let now = Double(clock.now.steady.microseconds) / 1_000_000
        let resting = try await bench.engine.steer(.resume, "one")
        #expect(resting.condition == .idle)
        #expect((5 * 3600...7 * 3600).contains(try #require(resting.until) - now))
        clock.step(seconds: -step)
        clock.pass(seconds: 4 * 3600)
        #expect(try await bench.engine.steer(.resume, "one").condition == .idle)
        clock.pass(seconds: 3 * 3600)
        _ = try await bench.engine.steer(.resume, "one")
        for _ in 1...3 { await bench.feed.untilRead(id) }
        #expect(asked.with { $0 } == [1, 2, 3, 1, 2, 3])
        #expect(bench.feed.failures.isEmpty)
        await bench.end()
    }
}
