import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

/// Tests of which documents go to make room, and in which order.
struct EvictableDocumentsTests {
    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    /// A table of documents of 100 bytes, each used at the time that stands beside it.
    private func table(
        _ uses: [Int64: Int64],
        staying: Set<Int64> = []
    ) -> EvictableDocuments {
        var table = EvictableDocuments()
        for (number, use) in uses {
            table.put(
                .init(
                    job: job(number),
                    bytes: 100,
                    lastUse: SteadyTime(microseconds: use),
                    standing: staying.contains(number) ? .stays : .mayGo
                )
            )
        }
        return table
    }

    private func victims(
        _ table: inout EvictableDocuments,
        _ maximum: Int64,
        seen: Set<Int64> = [],
        limit: Int = 100
    ) -> [Int64] {
        let interests = Dictionary(uniqueKeysWithValues: seen.map { (job($0), Interest.near) })
        return table.victims(maximum: maximum, sparing: interests, atMost: limit).map(\.rawValue)
    }

    @Test(
        "Those served least recently go, as many as there have to, and none that stays or is looked at",
        arguments: [
            // The maximum, those that stay, those that are looked at, and those that go.
            (500, [], [], []), (400, [], [], [3, 1]), (300, [], [], [3, 1, 5]), (0, [], [], [3, 1, 5, 2, 4]),
            (400, [3], [], [1, 5]), (400, [], [3, 1], [5, 2]), (400, [3, 1], [5], [2, 4]),
            (100, [1, 2, 3, 4, 5], [], []), (100, [], [1, 2, 3, 4, 5], []),
        ] as [(Int64, Set<Int64>, Set<Int64>, [Int64])]
    )
    func order(maximum: Int64, staying: Set<Int64>, seen: Set<Int64>, gone: [Int64]) {
        var table = table([1: 20, 2: 40, 3: 10, 4: 50, 5: 30], staying: staying)
        #expect(table.bytes == 500)
        // 500 bytes have their room in 517.
        #expect(victims(&table, maximum == 500 ? 517 : maximum, seen: seen) == gone)
    }

    @Test("One that nobody looks at any more goes in its turn, and one that was served stays longer")
    func changes() {
        var table = table([1: 10, 2: 20, 3: 30])
        #expect(victims(&table, 290, seen: [1], limit: 1) == [2])
        // What was chosen and isn't put, set aside or forgotten comes no more.
        #expect(victims(&table, 290, limit: 1) == [1])
        table = self.table([1: 10, 2: 20, 3: 30])
        table.put(.init(job: job(1), bytes: 100, lastUse: SteadyTime(microseconds: 40), standing: .mayGo))
        #expect(table.bytes == 300 && table.count == 3)
        #expect(victims(&table, 100) == [2, 3, 1])
    }

    @Test("What leaves no longer counts; what is somebody else's counts, and is not asked for again")
    func standings() {
        var table = table([1: 10, 2: 20, 3: 30])
        table.put(.init(job: job(1), bytes: 100, lastUse: SteadyTime(microseconds: 10), standing: .leaves))
        #expect(table.bytes == 200 && table.leaving == 100)
        table.forget(job(1))
        #expect(table.bytes == 200 && table.leaving == 0)
        table.setAside(job(2))
        table.put(.init(job: job(2), bytes: 100, lastUse: SteadyTime(microseconds: 21), standing: .mayGo))
        #expect(table.bytes == 200)
        #expect(victims(&table, 100) == [3])
        table.forget(job(2))
        table.forget(job(3))
        #expect(table.bytes == 0 && table.count == 0)
    }

    /// A job whose file is being downloaded.
    private func arriving(_ number: Int64, length: Int64) throws -> Job {
        var job = Job(
            id: job(number),
            batch: BatchID(rawValue: 1),
            createdAt: Moment(microseconds: 1_000),
            url: try JobURL("https://example.org/a.jpg"),
            name: "a.jpg"
        )
        (job.isEvictable, job.state, job.totalBytes) = (true, .downloading, length)
        return job
    }

    @Test("A document is taken in from its job: pinned, changed, not looked at, or being removed, it stays")
    func jobs() throws {
        var done = try arriving(7, length: 60)
        let now = done.createdAt
        var table = EvictableDocuments()
        table.update(done)
        #expect(table.bytes == 60 && table.withoutRoom(maximum: 50) == [job(7)])
        #expect(table.tooLong(maximum: 60) == [job(7)] && table.tooLong(maximum: 61).isEmpty)
        (done.state, done.path, done.bytes, done.finishedAt) = (.done, "/d/a.jpg", 60, now)
        done.documentMark = FileMark(inode: 1, length: 60, modified: 1, changed: 1)
        func goes(_ change: (inout Job) -> Void) -> Bool {
            var (job, copy) = (done, table)
            change(&job)
            copy.update(job)
            return victims(&copy, 1) == [7]
        }
        #expect(goes { _ in })
        #expect(!goes { $0.isPinned = true })
        #expect(!goes { $0.documentMark = nil })
        #expect(!goes { $0.state = .stored })
        #expect(!goes { $0.evictedAt = now.wall })
        #expect(!goes { $0.isEvictable = false })
        table.update(done)
        #expect(table.bytes == 60)
        done.path = nil
        table.update(done)
        #expect(table.bytes == 0)
    }

    @Test("The newest downloads are those for which there is no room")
    func withoutRoom() throws {
        var table = EvictableDocuments()
        for number in [1, 2, 3] as [Int64] {
            table.update(try arriving(number, length: 50))
        }
        #expect(table.withoutRoom(maximum: 150).isEmpty)
        #expect(table.withoutRoom(maximum: 100) == [job(3)])
        #expect(table.withoutRoom(maximum: 99) == [job(3), job(2)])
        table.forget(job(2)...job(3))
        #expect(table.bytes == 50)
    }

    @Test("Lengths that no file has add up to no more than a sum can be")
    func hugeLengths() throws {
        var table = EvictableDocuments()
        for number in 1...1000 as ClosedRange<Int64> {
            table.update(try arriving(number, length: Job.largestLength))
        }
        #expect(table.tooLong(maximum: 1 << 50).count == 1000)
    }

    @Test("After any number of uses, the table yields each document once, in order", arguments: 1...10)
    func manyUses(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var table = table(Dictionary(uniqueKeysWithValues: (1...50).map { ($0, $0) }))
        var uses = Dictionary(uniqueKeysWithValues: (1...50).map { (Int64($0), Int64($0)) })
        for time in 51...3000 as ClosedRange<Int64> {
            let number = Int64.random(in: 1...50, using: &generator)
            uses[number] = time
            let use = SteadyTime(microseconds: time)
            table.put(.init(job: job(number), bytes: 100, lastUse: use, standing: .mayGo))
        }
        let expected = uses.sorted { $0.value < $1.value }.map(\.key)
        #expect(victims(&table, 0) == expected)
    }
}
