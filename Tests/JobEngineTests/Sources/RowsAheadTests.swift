import JobModel
import SourceCore
import SourceEngine
import TestSupport
import Testing

/// Rows of a list that are read while those before them are kept.
@Suite(.timeLimit(.minutes(5)))
struct RowsAheadTests {
    private static let pieces = 6

    private static func order(_ name: String = "rows", priority: Int = 0) -> RecipeOrder {
        let text = """
            name: \(name)
            kind: csv
            url: http://example.org/list.csv
            job: {url: .url}
            priority: \(priority)
            every: 6h
            """
        return RecipeOrder(text, maySeeSecrets: false)
    }

    /// The place of a piece, by which it is asked for.
    private static func piece(_ request: ListerRequest) -> Int { request.rows.bytes }

    /// One row, and where the next one is.
    private static func answer(_ request: ListerRequest) -> Result<ListerAnswer, ListerFailure> {
        let piece = piece(request)
        let isLast = piece + 1 == pieces
        return SourceBench.page(
            "http://example.org/\(piece).jpg",
            next: isLast ? .end : .rows(ListerRequest.Rows(bytes: piece + 1, line: piece + 1))
        )
    }

    @Test("While a piece is kept, the next one is read, each once and in order")
    func overlaps() async throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let asked = Shared<[Int]>([])
        let (reading, read) = AsyncStream<Int>.makeStream()
        let bench = try SourceBench(path: directory.path("store.sqlite")) { request in
            asked.with { $0.append(Self.piece(request)) }
            read.yield(Self.piece(request))
            return Self.answer(request)
        }
        let kept = Shared(0)
        bench.feed.willKeep.with {
            $0 = { write in
                guard write.page != nil else { return }
                let piece = kept.with { kept in
                    defer { kept += 1 }
                    return kept
                }
                // The first is kept before anything is read ahead: had it ended the daemon, that would be known.
                guard piece > 0 else { return #expect(asked.with { $0 } == [0]) }
                guard piece + 1 < Self.pieces else { return }
                for await number in reading where number > piece { return }
            }
        }
        let source = try await bench.engine.apply(Self.order()).source
        for _ in 0..<Self.pieces { await bench.feed.untilRead(source.id) }
        #expect(asked.with { $0 } == Array(0..<Self.pieces))
        #expect(bench.feed.failures.isEmpty)
        let after = try await bench.engine.steer(.resume, "rows")
        #expect(after.condition == .idle)
        #expect(after.totals.items == Self.pieces)
        await bench.end()
    }

    @Test("Whoever changes a recipe doesn't wait for what is read ahead, which isn't used")
    func otherRecipe() async throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let asked = Shared<[Int: Int]>([:])
        let (reading, read) = AsyncStream<Void>.makeStream()
        let bench = try SourceBench(path: directory.path("store.sqlite")) { request in
            let piece = Self.piece(request)
            let times = asked.with { asked in
                asked[piece, default: 0] += 1
                return asked[piece]
            }
            // The third piece, read while the second is kept, takes until nobody wants it any more.
            if piece == 2, times == 1 {
                read.finish()
                try? await Task.sleep(for: .seconds(3600))
            }
            return Self.answer(request)
        }
        let source = try await bench.engine.apply(Self.order()).source
        for _ in 0..<2 { await bench.feed.untilRead(source.id) }
        for await _ in reading {}
        _ = try await bench.engine.apply(Self.order(priority: 7))
        while bench.feed.submitted.with({ $0.count }) < Self.pieces { await bench.feed.untilRead(source.id) }
        #expect(bench.feed.submitted.with { $0.map(\.priority) } == [0, 0, 7, 7, 7, 7])
        #expect(asked.with { $0 } == [0: 1, 1: 1, 2: 2, 3: 1, 4: 1, 5: 1])
        await bench.end()
    }
}
