import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Bodies from memory, from the transfer's report to the store, and over a crash.
struct StoredBodyEngineTests {
    private let one = JobID(rawValue: 1)
    private let start = TransferStart(mode: .fresh, offset: 0, total: 3, validator: .entityTag("\"v1\""))
    private let reservation = Job.Reservation(
        name: "a.jpg",
        sealed: SealedPartial(inode: 7, length: 3, sha256: "ab", modified: 5)
    )
    private var document: UnconfirmedDocument {
        UnconfirmedDocument(reservation: reservation, validator: start.validator)
    }
    private let mark = FileMark(inode: 7, length: 3, modified: 5, changed: 6)

    private func body() -> BufferedBody { BufferedBody([1, 2, 3], of: BufferRoom(limit: 3), taken: 3) }

    private func engine(_ url: String = "https://example.org/a.jpg") throws -> EngineHarness {
        let engine = try EngineHarness()
        _ = try engine.submit([url]).get()
        try engine.turn()
        return engine
    }

    @Test("Only a first transfer may stay in memory, without a checksum, of a document that stays")
    func mayBuffer() throws {
        let engine = try EngineHarness()
        let url = try JobURL("https://example.org/a.jpg")
        let checked = JobOptions(expectedSHA256: String(repeating: "a", count: 64))
        let evictable = JobOptions(source: "list", itemKey: "1", isEvictable: true)
        let items = [
            NewJob(url: url), NewJob(url: url, options: checked), NewJob(url: url, options: evictable),
        ]
        try engine.turn(.submit(Submission(items: items, submittedBy: nil), reply: { _ in }))
        while engine.core.isTakingIn { try engine.turn() }
        try engine.turn()
        #expect(engine.outside.all.started.map(\.mayBuffer) == [true, false, false])
        engine.outside.forget()
        let cut = JobFailure(.connectionLost, "the connection broke")
        try engine.report(1, .ended(.interrupted(cut, retryAfter: nil)))
        engine.now = engine.now.adding(seconds: 3600)
        try engine.turn()
        try engine.turn()
        #expect(engine.outside.all.started.map(\.mayBuffer) == [false])
    }

    @Test("A body is stored with one commit, which is confirmed only once it has been made")
    func stored() throws {
        let engine = try engine()
        try engine.report(1, .began(start), .ended(.buffered(body(), lengthProven: true)))
        #expect(engine.outside.all.stored == [one: [1, 2, 3]])
        #expect(engine.outside.all.storedVersions == [one: .entityTag("\"v1\"")])
        #expect(engine.outside.all.confirmedStored.isEmpty)
        try engine.report(1, .stored(reservation, partialPath: "/p", path: "/d/a.jpg", mark: mark))
        try engine.turn()
        #expect(engine.outside.all.confirmedStored == [one])
        let job = try #require(try engine.store.jobs([one]).first)
        #expect(job.path == "/d/a.jpg" && job.sha256 == "ab" && job.documentMark == mark)
        #expect(engine.core.status.receivedBytes == 3)
    }

    @Test("After a crash a document is still of unproven length, which only the job knows")
    func unproven() throws {
        let engine = try engine()
        let start = TransferStart(mode: .fresh, offset: 0, total: nil, validator: nil)
        try engine.report(1, .began(start), .ended(.buffered(body(), lengthProven: false)))
        #expect(engine.outside.all.stored == [one: [1, 2, 3]])
        engine.outside.change { notes in
            notes.unconfirmed = [one: document]
            notes.publications[one] = .published(path: "/d/a.jpg", mark: mark)
        }
        try engine.restart()
        #expect(try engine.stored(1)?.length == .unproven)
        #expect(engine.outside.lines.contains("j1 stored \"a.jpg\" at /d/a.jpg, of unproven length"))
    }

    @Test("With a full disk nothing is confirmed until it could be written")
    func full() throws {
        let engine = try engine()
        try engine.report(1, .began(start), .ended(.buffered(body(), lengthProven: true)))
        engine.store.fail(with: .outOfSpace)
        try engine.report(1, .stored(reservation, partialPath: "/p", path: "/d/a.jpg", mark: mark))
        try engine.untilWritten()
        #expect(engine.outside.all.confirmedStored.isEmpty)
        engine.store.fail(with: nil)
        engine.now = engine.now.adding(seconds: 2)
        try engine.turn()
        #expect(engine.outside.all.confirmedStored == [one])
    }

    @Test(
        "After a crash a document that only the journal knows belongs to its job, which isn't fetched again",
        arguments: [false, true]
    )
    func crash(isWritten: Bool) throws {
        let engine = try engine()
        try engine.report(1, .began(start), .ended(.buffered(body(), lengthProven: true)))
        // The beginning of the transfer is in the store, or is not.
        if isWritten { try engine.untilWritten() }
        engine.outside.change { notes in
            notes.unconfirmed = [one: document, JobID(rawValue: 9): document]
            notes.publications[one] = .published(path: "/d/a.jpg", mark: mark)
        }
        try engine.restart()
        #expect(engine.outside.all.started.isEmpty)
        let job = try #require(try engine.store.jobs([one]).first)
        #expect([.stored, .detecting].contains(job.state))
        #expect(job.path == "/d/a.jpg" && job.sha256 == "ab" && job.reservation == nil)
        // Whether the server's file changes later can be told by its version only.
        #expect(job.attempts == 1 && job.totalBytes == 3 && job.validator == start.validator)
        #expect(engine.core.status.jobsByState[.queued] ?? 0 == 0)
        #expect(Set(engine.outside.all.confirmedStored) == [one, JobID(rawValue: 9)])
        // Told of again by the journal, it is as it was.
        try engine.restart()
        #expect(try engine.store.jobs([one]).first?.path == "/d/a.jpg")
    }

    @Test("A document of a job that was cancelled at that moment is removed after the crash")
    func cancelled() throws {
        let engine = try engine()
        try engine.report(1, .began(start), .ended(.buffered(body(), lengthProven: true)))
        _ = try engine.steer(.cancel, 1).get()
        engine.outside.change { notes in
            notes.unconfirmed = [one: document]
            notes.publications[one] = .published(path: "/d/a.jpg", mark: mark)
        }
        try engine.restart()
        #expect(engine.outside.all.removed == [one])
    }

    @Test("A job that has its document, or none any more, is not touched by what the journal says")
    func old() throws {
        let engine = try engine()
        try engine.download(1)
        let path = try engine.store.jobs([one]).first?.path
        engine.outside.change { notes in
            notes.unconfirmed = [one: document]
            notes.publications[one] = .published(path: "/d/other.jpg", mark: mark)
        }
        try engine.restart()
        #expect(try engine.store.jobs([one]).first?.path == path)
    }
}
