import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of when what happens to a job is written.
struct HeldChangeTests {
    private let small = TransferStart(mode: .fresh, offset: 0, total: 100, validator: .entityTag("\"v\""))
    private let large = TransferStart(mode: .fresh, offset: 0, total: 5 << 20, validator: .entityTag("\"v\""))

    private func queued(_ count: Int = 1) throws -> EngineHarness {
        let harness = try EngineHarness(JobEngineConfiguration(transfers: .init(total: 1, perHost: 1)))
        _ = try harness.submit((0...count).map { "http://example.org/\($0).jpg" })
        // The first job is out of the way; the second has been in the store for a while.
        try harness.download(1)
        try harness.untilWritten()
        return harness
    }

    @Test("What happens to a small file is written once before it is published, and once after")
    func smallFile() throws {
        let harness = try queued(2)
        let before = harness.store.commits
        #expect(harness.outside.all.started.map(\.job.rawValue) == [1, 2])
        try harness.download(2)
        #expect(harness.store.commits == before + 2)
        let told = harness.outside.all.events.filter { $0.job.rawValue == 2 }.map(\.message)
        #expect(told.first?.hasPrefix("started download of") == true)
        #expect(told.count == 14)
        let times = harness.outside.all.events.map(\.time)
        #expect(times == times.sorted())
    }

    @Test("Nothing is told before it is written, and nothing is held for longer than a tenth of a second")
    func longest() throws {
        let harness = try EngineHarness(JobEngineConfiguration(transfers: .init(total: 1, perHost: 1)))
        _ = try harness.submit((1...2).map { "http://example.org/\($0).jpg" })
        try harness.download(1)
        #expect(harness.outside.all.started.last?.job.rawValue == 2, "it has begun all the same")
        #expect(try harness.stored(2)?.state == .queued)
        #expect(!harness.outside.lines.contains { $0.hasPrefix("j2 ") })
        let wake = try #require(try harness.turn())
        #expect(wake <= harness.now.adding(seconds: HeldChanges.longest))
        harness.now = wake
        try harness.turn()
        #expect(try harness.stored(2)?.state == .downloading)
        #expect(harness.outside.lines.contains { $0.hasPrefix("j2 started") })
    }

    @Test("The status counts jobs as a list shows them, at any time")
    func status() throws {
        let harness = try EngineHarness(JobEngineConfiguration(transfers: .init(total: 2, perHost: 2)))
        func turn(_ inputs: EngineInput...) throws {
            // Commits don't follow each other as closely.
            harness.now = harness.now.adding(seconds: 0.003)
            _ = try harness.core.turn(inputs, now: harness.now)
            let stored = try harness.store.real.storedState().jobsByState.filter { $0.value > 0 }
            #expect(harness.core.status.jobsByState == stored)
        }
        _ = try harness.submit((1...6).map { "http://example.org/\($0).jpg" })
        for number: Int64 in 1...6 {
            let job = JobID(rawValue: number)
            try turn(.transfers([(job, .began(small)), (job, .progressed(bytes: 100))]))
            try turn(.transfers([(job, .ended(.completed(length: 100, lengthProven: true)))]))
            let sealed = SealedPartial(
                inode: UInt64(number),
                length: 100,
                sha256: "\(number)",
                modified: number
            )
            try turn(.storage([(job, .sealed(sealed, path: "/p/\(number).part", freeName: "\(number).jpg"))]))
            let mark = FileMark(inode: UInt64(number), length: 100, modified: number, changed: number)
            harness.outside.change { $0.marks["/d/\(number).jpg"] = mark }
            try turn(.storage([(job, .published(path: "/d/\(number).jpg", mark: mark))]))
            try turn(.detected(job, DetectionResult(outcome: .counted)))
        }
        for _ in 1...50 { try turn() }
        #expect(harness.core.status.jobsByState == [.done: 6])
    }

    @Test("Where a large file begins is written at once, so that a crash costs nothing of it")
    func largeFile() throws {
        let harness = try queued(2)
        try harness.report(2, .began(large))
        #expect(try harness.stored(2)?.validator == .entityTag("\"v\""))
    }

    @Test("A small file whose beginning a crash has lost is fetched from its beginning")
    func lostBeginning() throws {
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: .init(total: 1, perHost: 1), boot: "b")
        )
        _ = try harness.submit((1...2).map { "http://example.org/\($0).jpg" })
        try harness.download(1)
        try harness.report(2, .began(small), .progressed(bytes: 42))
        harness.outside.change { $0.lengths[JobID(rawValue: 2)] = 42 }
        try harness.restart()
        let request = try #require(harness.outside.all.started.last)
        #expect(request.job.rawValue == 2 && request.resume == nil)
        try harness.untilWritten()
        #expect(harness.outside.lines.contains { $0.hasPrefix("j2 started") })
        #expect(!harness.outside.lines.contains { $0.contains("from zero") }, "nothing of it was told before")
    }

    @Test("Steering a job whose beginning is held writes that first")
    func steered() throws {
        let harness = try queued(2)
        #expect(try harness.steer(.pause, 2).get().state == .paused)
        let told = harness.outside.lines.filter { $0.hasPrefix("j2 ") }
        #expect(told.map { $0.split(separator: " ")[1] } == ["started", "paused"])
        #expect(harness.outside.all.stopped.map(\.rawValue) == [2])
    }

    @Test("What an orderly end finds held is written and told")
    func orderlyEnd() throws {
        let harness = try queued(2)
        try harness.report(2, .began(small), .progressed(bytes: 42))
        try harness.core.settle(now: harness.now)
        #expect(try harness.stored(2)?.totalBytes == 100)
        #expect(harness.outside.lines.contains("j2 downloading \"1.jpg\", 40% done"))
    }

    @Test("Turns that follow each other closely share a commit, and who asks is answered at once")
    func interval() throws {
        let harness = try queued(2)
        let before = harness.store.commits
        try harness.report(2, .began(large))
        #expect(harness.store.commits == before + 1)
        harness.now = harness.now.adding(seconds: -0.01 + CommitWindow.interval / 4)
        try harness.report(2, .progressed(bytes: 2 << 20))
        #expect(harness.store.commits == before + 1)
        let wake = try #require(try harness.core.turn([], now: harness.now))
        #expect(wake <= harness.now.adding(seconds: CommitWindow.interval))
        let answer = Answer<Void>()
        _ = try harness.core.turn([.setGate(open: false, reply: answer.give)], now: harness.now)
        #expect(answer.value != nil)
        #expect(harness.outside.lines.contains("j2 downloading \"1.jpg\", 40% done"))
    }
}
