import DocumentStore
import Glibc
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

struct DocumentRemovalTests {
    private typealias Fixture = DocumentStoreFixture
    private typealias Unexpected = DocumentStoreFixture.Unexpected

    @Test(
        "Only a document that is still the file that was stored is removed, whatever stands in its place",
        arguments: [false, true]
    )
    func removal(byLinks: Bool) async throws {
        let fixture = try Fixture(usesLinksOnly: byLinks)
        typealias Published = (job: JobID, path: String, mark: FileMark)
        func published(_ id: Int64, _ name: String) async throws -> Published {
            let job = try fixture.partial(id, [1, 2, 3])
            let (sealed, free) = try await fixture.sealed(job, name)
            fixture.store.publish(job, Job.Reservation(name: free, sealed: sealed), wantedName: name)
            guard case .published(let path, let mark?) = await fixture.next() else { throw Unexpected() }
            return (job, path, mark)
        }
        func remove(_ document: Published) async -> StorageReport? {
            fixture.store.removeDocument(of: document.job, at: document.path, mark: document.mark)
            return await fixture.next()
        }
        let plain = try await published(1, "a.jpg")
        #expect(await remove(plain) == .removed)
        #expect(access(plain.path, F_OK) != 0 && fixture.store.partialLength(of: plain.job) == nil)
        // Gone already, which is what was wanted.
        #expect(await remove(plain) == .removed)
        let replaced = try await published(2, "b.jpg")
        #expect(unlink(replaced.path) == 0)
        try fixture.directory.write([9], to: "documents/b.jpg")
        #expect(await remove(replaced) == .notRemoved)
        #expect(try fixture.directory.read("documents/b.jpg") == [9])
        let linked = try await published(3, "c.jpg")
        #expect(unlink(linked.path) == 0)
        #expect(symlink("b.jpg", linked.path) == 0)
        #expect(await remove(linked) == .notRemoved)
        #expect(try fixture.directory.read("documents/b.jpg") == [9])
        var elsewhere = try await published(4, "d.jpg")
        elsewhere.path = fixture.directory.path("state/../documents/d.jpg")
        #expect(await remove(elsewhere) == .notRemoved)
        #expect(try fixture.directory.read("documents/d.jpg") == [1, 2, 3])
    }

    @Test("What is published after a removal was asked for finds that room free, however busy sealers are")
    func roomFirst() async throws {
        let fixture = try Fixture()
        var old: [(JobID, String, FileMark)] = []
        var new: [(JobID, Job.Reservation)] = []
        for id in Int64(1)...20 {
            let job = try fixture.partial(id, [1, 2, 3])
            let (sealed, name) = try await fixture.sealed(job, "\(id).jpg")
            let reservation = Job.Reservation(name: name, sealed: sealed)
            guard id <= 10 else {
                new.append((job, reservation))
                continue
            }
            fixture.store.publish(job, reservation, wantedName: name)
            guard case .published(let path, let mark?) = await fixture.next() else { throw Unexpected() }
            old.append((job, path, mark))
        }
        for id in Int64(21)...60 {
            fixture.store.seal(try fixture.partial(id, [4]), wantedName: "\(id).jpg", mustHash: false)
        }
        for (job, path, mark) in old { fixture.store.removeDocument(of: job, at: path, mark: mark) }
        for (job, reservation) in new {
            fixture.store.publish(job, reservation, wantedName: reservation.name)
        }
        var (sealed, removed, published) = (0, 0, 0)
        while sealed + removed + published < 60 {
            switch await fixture.next() {
            case .sealed: sealed += 1
            case .removed: removed += 1
            case .published:
                published += 1
                #expect(removed == 10)
            default: throw Unexpected()
            }
        }
        #expect(sealed == 40 && published == 10)
    }

    @Test(
        "Whoever wants to hear of removed documents does while their folders are there, also of those gone already"
    )
    func heard() async throws {
        let heard = Mutex<[String]>([])
        var hearers = DocumentHearers()
        hearers.removed = { path in
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
            heard.withLock { $0.append(access(folder, F_OK) == 0 ? path : "too late") }
        }
        let fixture = try Fixture(hearers: hearers)
        let job = try fixture.partial(1, [1, 2, 3])
        let wanted = WantedName("a.jpg", in: try DocumentLayout(template: "x"))
        fixture.store.seal(job, wantedName: wanted, mustHash: true)
        guard case .sealed(let sealed, _, let free, _) = await fixture.next() else { throw Unexpected() }
        let reservation = Job.Reservation(name: free, folder: try DocumentFolder("x"), sealed: sealed)
        fixture.store.publish(job, reservation, wantedName: "a.jpg")
        guard case .published(let path, let mark?) = await fixture.next() else { throw Unexpected() }
        for _ in 1...2 {
            fixture.store.removeDocument(of: job, at: path, mark: mark)
            #expect(await fixture.next() == .removed)
        }
        #expect(heard.withLock { $0.first } == path && heard.withLock { $0.count } == 2)
        #expect(access(fixture.directory.path("documents/x"), F_OK) != 0)
    }
}
