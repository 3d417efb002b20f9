import EngineSupport
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Directories that are not where they should be, through the whole engine.
@Suite("The engine, and directories that are taken away")
struct EngineStorageTests {
    private let words = "the documents directory /d is not there any more"

    private func harness() throws -> EngineHarness {
        try EngineHarness(
            JobEngineConfiguration(transfers: TransferQueue.Limits(total: 2, perHost: 2), boot: "boot-1")
        )
    }

    private let urls = (1...3).map { "http://example.org/\($0).jpg" }

    /// Somebody takes the directories away, or brings them back, and the engine has had time to look.
    private func set(_ obstacle: String?, _ harness: EngineHarness) throws {
        harness.outside.change { $0.obstacle = obstacle }
        harness.now = harness.now.adding(seconds: 1)
        try harness.turn()
    }

    @Test("Nothing is begun meanwhile, what is under way stops, it is told once, and then all goes on")
    func hold() throws {
        let harness = try harness()
        _ = try harness.submit(urls)
        #expect(harness.outside.all.started.count == 2)
        try set(words, harness)
        #expect(Set(harness.outside.all.stopped.map(\.rawValue)) == [1, 2])
        let hold = try #require(harness.core.status.holds.first)
        #expect(hold.kind == .storage && hold.reason.contains("/d"))
        for job in 1...2 as ClosedRange<Int64> { try harness.report(job, .ended(.stopped)) }
        _ = try harness.submit(["http://example.org/4.jpg"])
        for job in 1...4 as ClosedRange<Int64> { #expect(try harness.stored(job)?.state == .queued) }
        #expect(harness.outside.all.started.count == 2)
        // It looks again by itself, and only then.
        let wake = try #require(try harness.turn())
        #expect(wake > harness.now && wake.seconds(since: harness.now) <= 1)
        try set(nil, harness)
        #expect(harness.core.status.holds.isEmpty)
        #expect(harness.outside.all.started.count == 4)
        for job in 1...2 as ClosedRange<Int64> {
            let stored = try #require(try harness.stored(job))
            #expect(stored.fruitlessTries == 0)
        }
        #expect(harness.outside.lines.filter { $0.contains("wait") || $0.contains("failed") }.isEmpty)
    }

    @Test(
        "Where another directory has taken the place of partials, transfers begin anew there, once, and no try counts"
    )
    func replaced() throws {
        let harness = try harness()
        _ = try harness.submit([urls[0]])
        try harness.report(
            1,
            .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: .entityTag("\"v1\""))),
            .progressed(bytes: 60)
        )
        harness.outside.change { notes in
            notes.partialsGeneration += 1
            notes.lengths[JobID(rawValue: 1)] = nil
        }
        try harness.turn(.suspectStorage)
        #expect(harness.outside.all.stopped.map(\.rawValue) == [1])
        try harness.turn()
        #expect(harness.outside.all.stopped.count == 1 && harness.core.status.holds.isEmpty)
        try harness.report(1, .ended(.stopped))
        #expect(harness.outside.all.started.count == 2 && harness.outside.all.started.last?.resume == nil)
        try harness.download(1)
        let stored = try #require(try harness.stored(1))
        #expect(stored.path != nil && stored.fruitlessTries == 0)
        #expect(harness.outside.all.stopped.count == 1)
        #expect(harness.outside.lines.filter { $0.contains("wait") }.isEmpty)
    }

    @Test("No room on a disk that says it has some is tried, and held as the disk until there is")
    func quota() throws {
        let failure = JobFailure(.diskFull, "the disk quota is used up")
        let words = "nothing can be written to the documents directory /d: Disk quota exceeded"
        let harness = try harness()
        _ = try harness.submit(urls)
        harness.outside.change { $0.refusal = words }
        try harness.report(1, .ended(.interrupted(failure, retryAfter: nil)))
        #expect(harness.core.status.holds.map(\.kind) == [.disk])
        #expect(harness.core.status.holds.first?.reason.contains("quota") == true)
        try harness.turn()
        #expect(harness.outside.all.stopped == [JobID(rawValue: 2)])
        try harness.report(2, .ended(.stopped))
        for _ in 1...50 {
            harness.now = harness.now.adding(seconds: 10)
            try harness.turn()
        }
        #expect(harness.outside.all.started.count == 2)
        #expect(try harness.stored(1)?.fruitlessTries == 0)
        harness.outside.change { $0.refusal = nil }
        harness.now = harness.now.adding(seconds: 10)
        try harness.turn()
        try harness.turn()
        #expect(harness.core.status.holds.isEmpty && harness.outside.all.started.count == 4)
        // On a disk that is full, jobs wait for room as ever.
        let full = try self.harness()
        full.outside.change { ($0.freeBytes, $0.refusal) = (1 << 20, words) }
        _ = try full.submit(urls)
        try full.report(1, .ended(.interrupted(failure, retryAfter: nil)))
        #expect(full.core.status.holds.isEmpty)
        #expect(try full.stored(1)?.state == .waiting)
    }

    @Test("A document that a detector could not find is looked at again, and not told unreadable")
    func detection() throws {
        let harness = try harness()
        _ = try harness.submit([urls[0]])
        try harness.download(1)
        #expect(harness.outside.all.detecting == [JobID(rawValue: 1)])
        let mark = harness.outside.all.marks["/d/1.jpg"]
        harness.outside.change { notes in
            notes.obstacle = words
            notes.marks["/d/1.jpg"] = nil
        }
        let result = DetectionResult(outcome: .unreadable, engine: "haar", parameters: "p")
        try harness.turn(.detected(JobID(rawValue: 1), result))
        #expect(try harness.stored(1)?.state == .stored)
        #expect(harness.outside.all.detecting.count == 1)
        harness.outside.change { $0.marks["/d/1.jpg"] = mark }
        try set(nil, harness)
        #expect(harness.outside.all.detecting.count == 2)
        #expect(try harness.stored(1)?.state == .detecting)
        #expect(try harness.stored(1)?.detectionAttempts == 1)
        // Of one that is really gone it says what it found.
        harness.outside.change { $0.marks["/d/1.jpg"] = nil }
        try harness.turn(.detected(JobID(rawValue: 1), result))
        #expect(try harness.stored(1)?.state == .done)
    }

    @Test("A look while the directory was away is none, however often, and whatever is noticed of it")
    func lookMeanwhile() throws {
        let harness = try harness()
        _ = try harness.submit([urls[0]])
        try harness.download(1)
        let away = DetectionResult(
            outcome: .unreadable,
            reason: DetectionResult.unopenedDirectory,
            engine: "haar",
            parameters: "p"
        )
        for look in 1...9 {
            #expect(harness.outside.all.detecting.count == look)
            // It is back by now, unless somebody sees that it isn't.
            if look.isMultiple(of: 3) { harness.outside.change { $0.obstacle = words } }
            try harness.turn(.detected(JobID(rawValue: 1), away))
            if look.isMultiple(of: 3) {
                #expect(harness.core.status.holds.first?.kind == .storage)
                try set(nil, harness)
            }
        }
        #expect(try harness.stored(1)?.state == .detecting)
        #expect(try harness.stored(1)?.detectionAttempts == 1)
        #expect(harness.outside.lines.filter { $0.contains("unreadable") }.isEmpty)
        #expect(away.isOfUnopened && !away.isShareable)
    }

    @Test("Where detectors alone are kept out of the directory for long, the document ends, and says so")
    func shutOut() throws {
        let harness = try harness()
        _ = try harness.submit([urls[0]])
        try harness.download(1)
        let away = DetectionResult(
            outcome: .unreadable,
            reason: DetectionResult.unopenedDirectory,
            engine: "haar",
            parameters: "p"
        )
        func look(_ times: Int, after seconds: Double) throws -> JobState? {
            harness.now = harness.now.adding(seconds: seconds)
            for _ in 1...times { try harness.turn(.detected(JobID(rawValue: 1), away)) }
            return try harness.stored(1)?.state
        }
        #expect(try look(20, after: 0) == .detecting)
        #expect(try look(1, after: 599) == .detecting)
        #expect(try harness.stored(1)?.detectionAttempts == 1)
        // Then it is as with any document that can't be opened.
        #expect(try look(2, after: 2) == .detecting)
        #expect(try look(1, after: 0) == .done)
        #expect(try harness.stored(1)?.detection?.reason == DetectionResult.unopenedDirectory)
    }

    @Test("Removing a document is refused meanwhile: one that isn't there isn't gone")
    func removal() throws {
        let harness = try harness()
        _ = try harness.submit([urls[0]])
        try harness.download(1)
        let result = DetectionResult(outcome: .counted, engine: "haar", parameters: "p")
        try harness.turn(.detected(JobID(rawValue: 1), result))
        harness.outside.change { $0.obstacle = words }
        let answer = Answer<Job>()
        try harness.turn(.removeDocument(JobID(rawValue: 1), reply: answer.give))
        guard case .failure(.notPossible(_, _, let reason)) = answer.value else {
            Issue.record("\(String(describing: answer.value))")
            return
        }
        #expect(reason.contains("/d"))
        #expect(harness.outside.all.removed.isEmpty)
        #expect(try harness.stored(1)?.path != nil)
    }

    @Test("Who wants a document removed is answered also where its job is forgotten in the meantime")
    func removalOfForgotten() throws {
        let harness = try harness()
        _ = try harness.submit([urls[0]])
        try harness.download(1)
        let result = DetectionResult(outcome: .counted, engine: "haar", parameters: "p")
        try harness.turn(.detected(JobID(rawValue: 1), result))
        let (bench, number) = (harness.core.bench, JobID(rawValue: 1))
        var removal = DocumentRemoval(bench: bench)
        let answer = Answer<Job>()
        try removal.remove(number, isHidden: false, now: harness.now, reply: answer.give)
        bench.forget(try #require(try bench.live(number)))
        try removal.tell("the documents directory is gone")
        #expect(answer.value == .failure(.noSuchJob(number)))
    }

    @Test(
        "A document that a detector could not open, though it is there, is looked at again before it is given up"
    )
    func unopened() throws {
        let harness = try harness()
        _ = try harness.submit([urls[0]])
        try harness.download(1)
        let result = DetectionResult(
            outcome: .unreadable,
            reason: "can't be opened",
            engine: "haar",
            parameters: "p"
        )
        try harness.turn(.detected(JobID(rawValue: 1), result))
        #expect(try harness.stored(1)?.state == .detecting)
        #expect(harness.outside.all.detecting.count == 2)
        let seen = DetectionResult(outcome: .counted, engine: "haar", parameters: "p")
        try harness.turn(.detected(JobID(rawValue: 1), seen))
        #expect(try harness.stored(1)?.detection?.outcome == .counted)
        // It has its rights taken away, for one: there is an end of it, and that is true of nothing else.
        _ = try harness.submit([urls[1]])
        try harness.download(2)
        for _ in 1...4 where try harness.stored(2)?.state == .detecting {
            try harness.turn(.detected(JobID(rawValue: 2), result))
        }
        #expect(try harness.stored(2)?.detection?.outcome == .unreadable)
        #expect(harness.outside.all.detecting.count == 5)
        #expect(!result.isShareable)
        // One that somebody has removed is not looked for again.
        _ = try harness.submit([urls[2]])
        try harness.download(3)
        harness.outside.change { $0.marks["/d/3.jpg"] = nil }
        try harness.turn(.detected(JobID(rawValue: 3), result))
        #expect(try harness.stored(3)?.state == .done && harness.outside.all.detecting.count == 6)
    }

    @Test(
        "Who waits for a removal is told when the directory goes meanwhile, and the document goes once it is back"
    )
    func removalMeanwhile() throws {
        let harness = try harness()
        _ = try harness.submit([urls[0]])
        try harness.download(1)
        let result = DetectionResult(outcome: .counted, engine: "haar", parameters: "p")
        try harness.turn(.detected(JobID(rawValue: 1), result))
        let answer = Answer<Job>()
        try harness.turn(.removeDocument(JobID(rawValue: 1), reply: answer.give))
        #expect(answer.value == nil && harness.outside.all.removed.count == 1)
        harness.outside.change { $0.obstacle = words }
        // The store's thread waits, and says so.
        try harness.turn(.suspectStorage)
        guard case .failure(.notPossible(_, _, let reason)) = answer.value else {
            Issue.record("\(String(describing: answer.value))")
            return
        }
        #expect(reason.contains("/d") && reason.contains("is removed once"))
        try set(nil, harness)
        try harness.report(1, .removed)
        #expect(try harness.stored(1)?.path == nil)
    }
}
