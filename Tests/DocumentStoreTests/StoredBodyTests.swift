import Digests
import Foundation
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import DocumentStore

/// Bodies from memory that become documents in one step.
struct StoredBodyTests {
    @Test("A body becomes a document with its hash, and leaves no partial", arguments: [false, true])
    func stored(byLinks: Bool) async throws {
        let fixture = try DocumentStoreFixture(usesLinksOnly: byLinks)
        let bytes = OriginContent.bytes(seed: 1, count: 70_000)
        let (reservation, path, mark) = try await fixture.store(3, bytes, "a.jpg")
        #expect(path == fixture.directory.path("documents/a.jpg"))
        #expect(try fixture.directory.read("documents/a.jpg") == bytes)
        #expect(reservation.name == "a.jpg")
        #expect(
            reservation.sealed.sha256 == SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        )
        #expect(mark.isOf(reservation.sealed) && fixture.store.mark(ofDocument: path) == mark)
        #expect(fixture.store.partialLength(of: JobID(rawValue: 3)) == nil)
    }

    @Test("A body waits while nothing may be written, and others go on meanwhile")
    func held() async throws {
        let directory = try TemporaryDirectory()
        let isHeld = Flag()
        let (stream, tell) = AsyncStream<(JobID, StorageReport)>.makeStream()
        let store = try DocumentStore(
            stateDirectory: directory.path("state"),
            documentsDirectory: directory.path("documents"),
            mayWrite: { body in
                guard !isHeld.isRaised else { return false }
                body()
                return true
            },
            // What is kept open for its mark is not needed for it.
            descriptorCeiling: { 0 }
        ) { for report in $0 { tell.yield(report) } }
        defer { store.shutdown() }
        var reports = stream.makeAsyncIterator()
        isHeld.set(true)
        let body = BufferedBody([1, 2], of: BufferRoom(limit: 0), taken: 0)
        store.store(JobID(rawValue: 1), body, validator: nil, wantedName: "a.jpg")
        try directory.write([3], to: "state/partial/2.part")
        store.seal(JobID(rawValue: 2), wantedName: "b.jpg", mustHash: false)
        #expect(await reports.next()?.0 == JobID(rawValue: 2))
        #expect(store.partialLength(of: JobID(rawValue: 1)) == nil)
        isHeld.set(false)
        guard case (let job, .stored(let reservation, _, _, let mark?))? = await reports.next() else {
            Issue.record("it isn't stored")
            return
        }
        #expect(job == JobID(rawValue: 1) && mark.isOf(reservation.sealed))
        #expect(try directory.read("documents/a.jpg") == [1, 2])
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isRaised: Bool { state.withLock(\.self) }
        func set(_ isRaised: Bool) { state.withLock { $0 = isRaised } }
    }

    @Test("An empty body is a document, too")
    func empty() async throws {
        let fixture = try DocumentStoreFixture()
        #expect(try await fixture.store(3, [], "a.jpg").mark.length == 0)
    }

    @Test("What a crash left in place of the partial is not written into, whoever else has it")
    func leftPartial() async throws {
        let fixture = try DocumentStoreFixture()
        _ = try fixture.partial(3, [9, 9, 9])
        #expect(link(fixture.directory.path("state/partial/3.part"), fixture.directory.path("backup")) == 0)
        _ = try await fixture.store(3, [1], "a.jpg")
        #expect(try fixture.directory.read("documents/a.jpg") == [1])
        #expect(try fixture.directory.read("backup") == [9, 9, 9])
    }

    @Test("No document takes another's name", arguments: [false, true])
    func names(byLinks: Bool) async throws {
        let fixture = try DocumentStoreFixture(usesLinksOnly: byLinks)
        try fixture.directory.write([9], to: "documents/a.jpg")
        for number in 2...20 as ClosedRange<Int64> {
            let stored = try await fixture.store(number, [UInt8(number)], "a.jpg")
            #expect(stored.reservation.name == "a (\(number)).jpg")
        }
        #expect(try fixture.directory.read("documents/a.jpg") == [9])
    }

    @Test("After a crash a document is known that nobody has confirmed, for as long as nobody writes to it")
    func unconfirmed() async throws {
        let fixture = try DocumentStoreFixture()
        var stored: [JobID: UnconfirmedDocument] = [:]
        let validators: [Validator?] = [
            nil, .lastModified("Mon, 03 Nov 2025 06:45:03 GMT"), .entityTag("\"ä b\""),
        ]
        for number in 1...5 as ClosedRange<Int64> {
            let name = "a b\(number).jpg"
            let validator = validators[Int(number) % validators.count]
            let told = ServerResponse(
                finalURL: nil,
                status: 200,
                entityTag: "\(number)",
                receivedAt: Timestamp(microseconds: 5)
            )
            let response = number == 4 ? nil : told
            let reservation = try await fixture.store(
                number,
                [1, 2, 3],
                name,
                validator: validator,
                DocumentTraits(response: response)
            ).reservation
            stored[JobID(rawValue: number)] = .init(
                reservation: reservation,
                validator: validator,
                response: response
            )
        }
        try fixture.restart()
        #expect(fixture.store.unconfirmedDocuments() == stored)
        #expect(unlink(fixture.directory.path("documents/a b1.jpg")) == 0)
        try fixture.directory.write([1, 2, 4], to: "documents/a b2.jpg")
        stored[JobID(rawValue: 1)] = nil
        stored[JobID(rawValue: 2)] = nil
        try fixture.restart()
        #expect(fixture.store.unconfirmedDocuments() == stored)
        // What is known of one is what was written down last.
        _ = try await fixture.store(3, [7], "c.jpg")
        try fixture.restart()
        #expect(fixture.store.unconfirmedDocuments()[JobID(rawValue: 3)]?.reservation.name == "c.jpg")
        // Confirmed, it is gone at once: with another store, the numbers may be those of other jobs.
        fixture.store.confirmStored((1...5).map { JobID(rawValue: $0) })
        #expect(try fixture.directory.read("state/moves.1").isEmpty)
        try fixture.restart()
        #expect(fixture.store.unconfirmedDocuments().isEmpty)
    }

    @Test("A line that was cut off, or damaged, or is anything else, is none")
    func lines() throws {
        let sealed = SealedPartial(inode: 7, length: 8, sha256: "ab", modified: 9)
        let reservation = Job.Reservation(name: "ä b  c.jpg", sealed: sealed)
        let document = UnconfirmedDocument(reservation: reservation, validator: .entityTag("\"7\""))
        let line = MoveJournal.line(5, JobID(rawValue: 6), document).dropLast()
        let read = try #require(MoveJournal.move(in: line))
        #expect(read.number == 5 && read.job == JobID(rawValue: 6) && read.document == document)
        // With what the server said, too.
        var told = document
        told.response = ServerResponse(
            finalURL: "https://h/~a",
            status: 200,
            receivedAt: Timestamp(microseconds: 5)
        )
        let tellingLine = MoveJournal.line(5, JobID(rawValue: 6), told).dropLast()
        #expect(MoveJournal.move(in: tellingLine)?.document == told)
        for end in line.indices { #expect(MoveJournal.move(in: line[..<end]) == nil) }
        for index in line.indices {
            var other = line
            other[index] ^= 1
            #expect(MoveJournal.move(in: other) == nil)
        }
        #expect(MoveJournal.move(in: Array("0 1 2 3 4 5 6 7 8".utf8)[...]) == nil)
    }

    @Test(
        "The journal says what isn't confirmed, whatever stands between its lines, and doesn't grow for ever"
    )
    func journal() throws {
        let directory = try TemporaryDirectory()
        let journal = MoveJournal(in: directory.path(""))
        func publishing(_ job: Int64) -> Publishing {
            let sealed = SealedPartial(
                inode: 7,
                length: 8,
                sha256: String(repeating: "a", count: 64),
                modified: 9
            )
            let reservation = Job.Reservation(name: "\(job).jpg", sealed: sealed)
            return Publishing(job: JobID(rawValue: job), reservation: reservation, wantedName: "a.jpg")
        }
        var last: [JobID] = []
        for round in 1...2000 as ClosedRange<Int64> {
            let jobs = (0..<8).map { JobID(rawValue: round * 8 + $0) }
            #expect(journal.note(jobs.map { publishing($0.rawValue) }) == 0)
            // Never all of them at once, as under a steady load.
            journal.confirm(last)
            last = jobs
        }
        let lengths = try (1...2).map { try directory.read("moves.\($0)").count }
        #expect(lengths.reduce(0, +) < 3 * Int(MoveJournal.fullLength))
        try directory.write(try directory.read("moves.1") + Array("torn".utf8), to: "moves.1")
        try directory.write(try directory.read("moves.2") + Array("torn".utf8), to: "moves.2")
        let again = MoveJournal(in: directory.path(""))
        #expect(Set(last).isSubset(of: Set(again.unconfirmed.keys)))
        #expect(again.note([publishing(1)]) == 0)
        #expect(
            MoveJournal(in: directory.path("")).unconfirmed[JobID(rawValue: 1)]?.reservation.name == "1.jpg"
        )
    }

    @Test(
        "A body that can't be written down or moved is given up, and nothing of it is left",
        arguments: [false, true]
    )
    func failures(isJournal: Bool) async throws {
        let fixture = try DocumentStoreFixture()
        if isJournal {
            for number in 1...2 {
                try FileManager.default.createDirectory(
                    atPath: fixture.directory.path("state/moves.\(number)"),
                    withIntermediateDirectories: false
                )
            }
        } else {
            try FileManager.default.createDirectory(
                atPath: fixture.directory.path("state/partial/1.part"),
                withIntermediateDirectories: false
            )
        }
        let body = BufferedBody([1], of: BufferRoom(limit: 0), taken: 0)
        fixture.store.store(JobID(rawValue: 1), body, validator: nil, wantedName: "a.jpg")
        guard case .publishFailed(let failure, keepsPartial: false, let number?) = await fixture.next() else {
            throw DocumentStoreFixture.Unexpected()
        }
        #expect(failure.code == .storageError && number == (isJournal ? EISDIR : EEXIST))
        #expect(access(fixture.directory.path("documents/a.jpg"), F_OK) != 0)
    }
}
