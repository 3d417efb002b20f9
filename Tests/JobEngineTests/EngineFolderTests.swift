import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Folders for documents, from the settings and from items, to the store of jobs and over a crash.
struct EngineFolderTests {
    private let one = JobID(rawValue: 1)
    private let start = TransferStart(mode: .fresh, offset: 0, total: 3, validator: .entityTag("\"v1\""))
    private let sealed = SealedPartial(inode: 7, length: 3, sha256: "ab", modified: 5)

    private func body() -> BufferedBody { BufferedBody([1, 2, 3], of: BufferRoom(limit: 3), taken: 3) }

    private func add(_ folder: String? = nil, to engine: EngineHarness) throws {
        var options = JobOptions()
        options.folder = try folder.map { try DocumentFolder($0) }
        let items = [NewJob(url: try JobURL("https://example.org/a.jpg"), options: options)]
        try engine.turn(.submit(Submission(items: items, submittedBy: nil), reply: { _ in }))
        while engine.core.isTakingIn { try engine.turn() }
        try engine.turn()
    }

    @Test("What arrives after a reload goes to the folders of the new layout")
    func layout() throws {
        let engine = try EngineHarness(
            JobEngineConfiguration(layout: try DocumentLayout(template: "old"))
        )
        try add(to: engine)
        let layout = try DocumentLayout(template: "{host}/{year}")
        try engine.turn(.reconfigure(JobEngineConfiguration(layout: layout)))
        try engine.report(1, .began(start), .ended(.buffered(body(), lengthProven: true)))
        let wanted = try #require(engine.outside.all.wanted[one])
        #expect(wanted.name == "a.jpg" && wanted.layout.folder(sha256: nil).path == "example.org/2026")
    }

    @Test("A document in a folder is one over a restart, and over a crash that the store knows nothing of")
    func stored() throws {
        let engine = try EngineHarness()
        try add("x/y", to: engine)
        try engine.report(1, .began(start), .ended(.buffered(body(), lengthProven: true)))
        #expect(engine.outside.all.wanted[one]?.layout.folder(sha256: nil).path == "x/y")
        let reservation = Job.Reservation(
            name: "a (2).jpg",
            folder: try DocumentFolder("x/y"),
            sealed: sealed
        )
        engine.outside.change { notes in
            notes.unconfirmed = [one: UnconfirmedDocument(reservation: reservation, validator: nil)]
            notes.publications[one] = .published(path: "/d/x/y/a (2).jpg", mark: nil)
        }
        try engine.restart()
        for _ in 1...2 {
            let job = try #require(try engine.stored(1))
            #expect(job.name == "a (2).jpg" && job.path == "/d/x/y/a (2).jpg")
            #expect(job.shownFolder?.path == "x/y" && job.options.folder?.path == "x/y")
            try engine.restart()
        }
    }

    @Test("A reserved path in a folder is what is asked for after a crash")
    func reserved() throws {
        let engine = try EngineHarness()
        try add("x", to: engine)
        try engine.report(1, .began(start), .ended(.completed(length: 3, lengthProven: true)))
        try engine.report(1, .sealed(sealed, path: "/p", freeName: "a.jpg"))
        try engine.untilWritten()
        let reservation = try #require(try engine.store.jobs([one]).first?.reservation)
        #expect(reservation.path == "x/a.jpg")
    }

    @Test(
        "A folder that may not be written to makes its document wait, uncounted and told once, and no other"
    )
    func refused() throws {
        let engine = try EngineHarness(JobEngineConfiguration(retry: RetryPolicy(maximumTries: 1)))
        try add("x", to: engine)
        let failure = JobFailure(.storageError, "the folder \"x\" can't be written to: Permission denied")
        for _ in 1...3 {
            try engine.report(1, .began(start), .ended(.buffered(body(), lengthProven: true)))
            try engine.report(1, .publishFailed(failure, keepsPartial: false, errorNumber: 13))
            #expect(try engine.stored(1)?.state == .waiting && engine.stored(1)?.fruitlessTries == 0)
            #expect(engine.core.status.holds.isEmpty)
            engine.now = engine.now.adding(seconds: 11)
            try engine.turn()
            #expect(engine.core.bench.jobs[one]?.machine.isTransferring == true)
        }
        let told = engine.outside.lines.filter { $0.contains("Permission denied") }
        #expect(told.count == 1, "\(told)")
        // Where nothing at all can be written, everything is held.
        engine.outside.change { $0.refusal = "nothing can be written to /d: Permission denied" }
        try engine.report(1, .began(start), .ended(.buffered(body(), lengthProven: true)))
        try engine.report(1, .publishFailed(failure, keepsPartial: false, errorNumber: 13))
        #expect(engine.core.status.holds.map(\.kind) == [.storage])
    }
}
