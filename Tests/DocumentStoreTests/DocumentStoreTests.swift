import Digests
import DocumentStore
import Foundation
import JobModel
import TestSupport
import Testing
import Vocabulary

struct DocumentStoreTests {
    private typealias Fixture = DocumentStoreFixture
    private typealias Unexpected = DocumentStoreFixture.Unexpected

    @Test(
        "A sealed partial is hashed, known by its inode, and published under its name",
        arguments: [false, true]
    )
    func publish(byLinks: Bool) async throws {
        let fixture = try Fixture(usesLinksOnly: byLinks)
        let bytes = OriginContent.bytes(seed: 1, count: 700_000)
        let job = try fixture.partial(3, bytes)
        #expect(fixture.store.partialLength(of: job) == 700_000)
        let (sealed, name) = try await fixture.sealed(job, "a.jpg")
        #expect(sealed.length == 700_000)
        #expect(sealed.sha256 == SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined())
        #expect(name == "a.jpg")
        let reservation = Job.Reservation(name: name, sealed: sealed)
        #expect(fixture.store.publication(of: job, reservation) == .pending(modified: sealed.modified))
        fixture.store.publish(job, reservation, wantedName: "a.jpg")
        let path = fixture.directory.path("documents/a.jpg")
        #expect(await fixture.published() == path)
        #expect(try fixture.directory.read("documents/a.jpg") == bytes)
        #expect(fixture.store.partialLength(of: job) == nil)
        let mark = fixture.store.mark(ofDocument: path)
        #expect(mark?.isOf(sealed) == true)
        #expect(fixture.store.publication(of: job, reservation) == .published(path: path, mark: mark))
        // After a restart, it is known by its content; what somebody has written to isn't.
        var stored = reservation
        stored.sealed.modified = nil
        #expect(fixture.store.publication(of: job, stored) == .published(path: path, mark: mark))
        let file = open(path, O_WRONLY)
        var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0)]
        for index in times.indices {
            times[index].tv_sec = Int((mark?.modified ?? 0) / 1_000_000_000)
            times[index].tv_nsec = Int((mark?.modified ?? 0) % 1_000_000_000)
        }
        #expect(pwrite(file, [bytes[5] &+ 1], 1, 5) == 1 && futimens(file, times) == 0 && close(file) == 0)
        #expect(fixture.store.publication(of: job, reservation) == .published(path: path, mark: nil))
    }

    @Test("A published document is known as what was sealed until somebody writes to it, however well hidden")
    func marks() async throws {
        let fixture = try Fixture()
        let job = try fixture.partial(3, [1, 2, 3])
        let (sealed, name) = try await fixture.sealed(job, "a.jpg")
        fixture.store.publish(job, Job.Reservation(name: name, sealed: sealed), wantedName: "a.jpg")
        guard case .published(let path, let mark?) = await fixture.next() else { throw Unexpected() }
        #expect(mark.isOf(sealed))
        #expect(FileMark(text: mark.text) == mark)
        #expect(fixture.store.mark(ofDocument: path) == mark)
        // The clock of file systems ticks every few milliseconds, and a change within a tick leaves no trace.
        while fixture.store.mark(ofDocument: path) == mark {
            try fixture.directory.write([1, 2, 4], to: "documents/a.jpg")
            var times = [timespec](repeating: timespec(), count: 2)
            for index in times.indices {
                times[index].tv_sec = Int(mark.modified / 1_000_000_000)
                times[index].tv_nsec = Int(mark.modified % 1_000_000_000)
            }
            #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        }
        #expect(fixture.store.mark(ofDocument: path)?.modified == mark.modified)
        #expect(unlink(path) == 0)
        #expect(fixture.store.mark(ofDocument: path) == nil)
    }

    @Test("A document that only a link leads to is none, in its own place or in that of its folder")
    func linked() throws {
        let fixture = try Fixture()
        let path = fixture.directory.path("documents/x/a.jpg")
        _ = try fixture.directory.directory("documents/y")
        try fixture.directory.write([1], to: "documents/y/a.jpg")
        #expect(symlink("y", fixture.directory.path("documents/x")) == 0)
        #expect(fixture.store.mark(ofDocument: path) == nil)
        #expect(fixture.store.mark(ofDocument: fixture.directory.path("documents/y/a.jpg")) != nil)
        #expect(symlink("y/a.jpg", fixture.directory.path("documents/b.jpg")) == 0)
        #expect(fixture.store.mark(ofDocument: fixture.directory.path("documents/b.jpg")) == nil)
    }

    @Test(
        "An existing document is never replaced: the next name is found, or told after a race",
        arguments: [false, true]
    )
    func neverReplaces(byLinks: Bool) async throws {
        let fixture = try Fixture(usesLinksOnly: byLinks)
        try fixture.directory.write([1], to: "documents/a.jpg")
        let first = try fixture.partial(1, [2])
        let (sealed, name) = try await fixture.sealed(first, "a.jpg")
        #expect(name == "a (2).jpg")
        try fixture.directory.write([3], to: "documents/a (2).jpg")
        fixture.store.publish(first, Job.Reservation(name: name, sealed: sealed), wantedName: "a.jpg")
        #expect(await fixture.next() == .nameTaken(freeName: "a (3).jpg"))
        fixture.store.publish(first, Job.Reservation(name: "a (3).jpg", sealed: sealed), wantedName: "a.jpg")
        #expect(await fixture.published() == fixture.directory.path("documents/a (3).jpg"))
        #expect(try fixture.directory.read("documents/a.jpg") == [1])
        #expect(try fixture.directory.read("documents/a (2).jpg") == [3])
    }

    @Test("A name that only looks numbered is numbered like any other")
    func numberedLooks() async throws {
        let fixture = try Fixture()
        try fixture.directory.write([1], to: "documents/portrait (331318).jpg")
        let job = try fixture.partial(1, [2])
        let (sealed, name) = try await fixture.sealed(job, "portrait (331318).jpg")
        #expect(name == "portrait (331318) (2).jpg")
        let taken = Job.Reservation(name: "portrait (331318).jpg", sealed: sealed)
        fixture.store.publish(job, taken, wantedName: "portrait (331318).jpg")
        #expect(await fixture.next() == .nameTaken(freeName: "portrait (331318) (2).jpg"))
    }

    @Test("A reserved name that holds another file is not taken for ours")
    func strangersFile() async throws {
        let fixture = try Fixture()
        let job = try fixture.partial(1, [2])
        let (sealed, name) = try await fixture.sealed(job, "a.jpg")
        try fixture.directory.write([9], to: "documents/a.jpg")
        let reservation = Job.Reservation(name: name, sealed: sealed)
        #expect(fixture.store.publication(of: job, reservation) == .pending(modified: sealed.modified))
        fixture.store.discardPartial(of: job)
        #expect(fixture.store.publication(of: job, reservation) == .lost)
    }

    @Test(
        "What a crash leaves between a document's link and the end of its partial is one document, and no partial"
    )
    func halfMoved() async throws {
        let fixture = try Fixture(usesLinksOnly: true)
        let job = try fixture.partial(1, [1, 2, 3])
        let (sealed, name) = try await fixture.sealed(job, "a.jpg")
        let (partial, document) = (
            fixture.store.partialPath(of: job), fixture.directory.path("documents/a.jpg")
        )
        #expect(link(partial, document) == 0)
        let reservation = Job.Reservation(name: name, sealed: sealed)
        // Asked again, as after an answer that was lost.
        fixture.store.publish(job, reservation, wantedName: "a.jpg")
        #expect(await fixture.published() == document)
        #expect(access(partial, F_OK) != 0)
        #expect(link(document, partial) == 0)
        guard case .published(document, _?) = fixture.store.publication(of: job, reservation) else {
            throw Unexpected()
        }
        #expect(access(partial, F_OK) != 0)
        #expect(try fixture.directory.read("documents/a.jpg") == [1, 2, 3])
    }

    @Test("A partial that isn't there can't be sealed, and says so")
    func missing() async throws {
        let fixture = try Fixture()
        fixture.store.seal(JobID(rawValue: 9), wantedName: "a.jpg", mustHash: false)
        guard case .sealFailed(let failure, let keepsPartial, let errorNumber) = await fixture.next() else {
            throw Unexpected()
        }
        #expect(failure.code == .storageError)
        #expect(!keepsPartial && errorNumber == ENOENT)
    }

    @Test("A resting partial is synced, and its length told; none is told of one that isn't there")
    func sync() async throws {
        let fixture = try Fixture()
        let job = try fixture.partial(1, [1, 2, 3])
        fixture.store.sync(JobID(rawValue: 9))
        fixture.store.sync(job)
        #expect(await fixture.next() == .synced(length: 3))
        #expect(fixture.store.syncNow(job) == 3)
        #expect(fixture.store.syncNow(JobID(rawValue: 9)) == nil)
    }

    @Test("Partials of jobs that ended are removed, the others kept")
    func stray() throws {
        let fixture = try Fixture()
        let kept = try fixture.partial(1, [1])
        let stray = try fixture.partial(2, [2])
        try fixture.directory.write([3], to: "state/partial/note.txt")
        fixture.store.discardPartials { jobs in
            #expect(Set(jobs) == [kept, stray])
            return [kept]
        }
        #expect(fixture.store.partialLength(of: kept) == 1)
        #expect(fixture.store.partialLength(of: stray) == nil)
        #expect(try fixture.directory.names().count == 2)
    }

    @Test("A link in the documents directory is a taken name, wherever it leads")
    func danglingLink() async throws {
        let fixture = try Fixture()
        let link = fixture.directory.path("documents/a.jpg")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/nowhere")
        let job = try fixture.partial(1, [2])
        #expect(try await fixture.sealed(job, "a.jpg").1 == "a (2).jpg")
    }

    @Test("Many files of one name find their numbers")
    func manyOfOneName() async throws {
        let fixture = try Fixture()
        for number in 1...40 {
            let job = try fixture.partial(Int64(number), [UInt8(number)])
            let (sealed, name) = try await fixture.sealed(job, "image.jpg")
            #expect(name == DocumentName.numbered("image.jpg", number))
            fixture.store.publish(job, Job.Reservation(name: name, sealed: sealed), wantedName: "image.jpg")
            guard case .published = await fixture.next() else { throw Unexpected() }
        }
        #expect(try fixture.directory.names().count == 2)
    }

    @Test("Free space can be told")
    func freeBytes() throws {
        #expect(try #require(try Fixture().store.freeBytes()) > 0)
    }

    @Test("Small partials are sealed while large ones are on their way to the disk", .timeLimit(.minutes(1)))
    func smallBesideLarge() async throws {
        let fixture = try Fixture()
        // A pipe can't be opened before somebody writes to it: a sync that takes as long as one likes.
        let slow = (1...4).map { JobID(rawValue: $0) }
        for job in slow {
            #expect(mkfifo(fixture.directory.path("state/partial/\(job.rawValue).part"), 0o600) == 0)
            fixture.store.seal(job, wantedName: "slow.jpg", mustHash: false)
        }
        for number in 10...40 as ClosedRange<Int64> {
            let (sealed, _) = try await fixture.sealed(try fixture.partial(number, [1]), "\(number).jpg")
            #expect(sealed.length == 1)
        }
        // Let go, so that the threads can end.
        for job in slow {
            let pipe = open(fixture.directory.path("state/partial/\(job.rawValue).part"), O_WRONLY)
            #expect(pipe >= 0)
            close(pipe)
        }
    }
}
