import Foundation
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import DocumentStore

/// Documents in folders, with real directories.
struct DocumentFolderStoreTests {
    private typealias Fixture = DocumentStoreFixture
    private typealias Unexpected = DocumentStoreFixture.Unexpected

    /// Publishes a partial in a folder, and returns what is reported.
    private static func publish(
        _ fixture: Fixture,
        _ id: Int64,
        _ bytes: [UInt8] = [1, 2, 3],
        in path: String,
        as name: String = "a.jpg"
    ) async throws -> (report: StorageReport?, reservation: Job.Reservation) {
        let job = try fixture.partial(id, bytes)
        let layout = try DocumentLayout(template: path)
        fixture.store.seal(job, wantedName: WantedName(name, in: layout), mustHash: true)
        guard case .sealed(let sealed, _, let free, _) = await fixture.next() else { throw Unexpected() }
        let folder = layout.folder(sha256: sealed.sha256)
        let reservation = Job.Reservation(name: free, folder: folder, sealed: sealed)
        fixture.store.publish(job, reservation, wantedName: name)
        return (await fixture.next(), reservation)
    }

    private static func store(
        _ fixture: Fixture,
        _ id: Int64,
        _ bytes: [UInt8],
        in template: String,
        as name: String = "a.jpg"
    ) async throws -> StorageReport? {
        let body = BufferedBody(bytes, of: BufferRoom(limit: 0), taken: 0)
        let wanted = WantedName(name, in: try DocumentLayout(template: template))
        fixture.store.store(JobID(rawValue: id), body, validator: nil, wantedName: wanted)
        return await fixture.next()
    }

    private static func code(_ report: StorageReport?) -> FailureCode? {
        if case .publishFailed(let failure, _, _) = report { failure.code } else { nil }
    }

    @Test("A folder is made for a document, and names are numbered within it", arguments: [false, true])
    func published(byLinks: Bool) async throws {
        let fixture = try Fixture(usesLinksOnly: byLinks)
        try fixture.directory.write([9], to: "documents/a.jpg")
        for (id, place) in [(1, "x/y/a.jpg"), (2, "x/y/a (2).jpg"), (3, "x/y/a (3).jpg")] as [(Int64, String)]
        {
            let (report, reservation) = try await Self.publish(fixture, id, [UInt8(id)], in: "x/y")
            guard case .published(let path, let mark?) = report else { throw Unexpected() }
            #expect(path == fixture.directory.path("documents/" + place))
            #expect(reservation.path == place && mark.isOf(reservation.sealed))
            #expect(try fixture.directory.read("documents/" + place) == [UInt8(id)])
        }
        guard case .published(let path, _) = try await Self.publish(fixture, 4, in: "x").report else {
            throw Unexpected()
        }
        #expect(path == fixture.directory.path("documents/x/a.jpg"))
    }

    @Test(
        "A body from memory goes to the folder of its SHA-256, and is found after a crash",
        arguments: [false, true]
    )
    func stored(byLinks: Bool) async throws {
        let fixture = try Fixture(usesLinksOnly: byLinks)
        // The SHA-256 of the byte 7 begins with ca.
        let report = try await Self.store(fixture, 1, [7], in: "by hash/{sha2}")
        guard case .stored(let reservation, _, let path, _?) = report else { throw Unexpected() }
        let digits = try #require(reservation.sealed.sha256?.prefix(2))
        #expect(reservation.path == "by hash/\(digits)/a.jpg")
        #expect(path == fixture.directory.path("documents/" + reservation.path))
        try fixture.restart()
        #expect(
            fixture.store.unconfirmedDocuments() == [
                JobID(rawValue: 1): UnconfirmedDocument(reservation: reservation, validator: nil)
            ]
        )
        guard case .stored(let second, _, _, _?) = try await Self.store(fixture, 2, [7], in: "by hash/{sha2}")
        else { throw Unexpected() }
        #expect(second.path == "by hash/\(digits)/a (2).jpg")
    }

    @Test("Folders that only look the same are kept apart")
    func lookalikes() throws {
        let fixture = try Fixture()
        let documents = try Directory(creating: fixture.directory.path("documents"), mode: 0o755)
        let folders = OpenFolders(in: documents, DurableFolders())
        let one = try folders.making(DocumentFolder("caf\u{E9}"))
        let other = try folders.making(DocumentFolder("cafe\u{301}"))
        #expect(!one.isSame(as: other))
    }

    @Test("A document whose name begins with a mark is removed")
    func markInFront() async throws {
        let fixture = try Fixture()
        for (id, folder) in [(1, ""), (2, "x")] as [(Int64, String)] {
            let (report, _) = try await Self.publish(fixture, id, in: folder, as: "\u{301}a.jpg")
            guard case .published(let path, let mark?) = report else { throw Unexpected() }
            fixture.store.removeDocument(of: JobID(rawValue: id), at: path, mark: mark)
            #expect(await fixture.next() == .removed)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("documents"))
        #expect(left.isEmpty, "\(left)")
    }

    @Test("A file or a link in a folder's place fails the job, and stays as it is", arguments: ["x", "x/y"])
    func inTheWay(template: String) async throws {
        for isLink in [false, true] {
            let fixture = try Fixture()
            let outside = try fixture.directory.directory("outside")
            if template == "x/y" { _ = try fixture.directory.directory("documents/x") }
            let place = "documents/" + template
            if isLink {
                #expect(symlink(outside, fixture.directory.path(place)) == 0)
            } else {
                try fixture.directory.write([9], to: place)
            }
            #expect(Self.code(try await Self.publish(fixture, 1, in: template + "/z").report) == .badFolder)
            #expect(fixture.store.partialLength(of: JobID(rawValue: 1)) == 3)
            #expect(Self.code(try await Self.store(fixture, 2, [5], in: template + "/z")) == .badFolder)
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
            var status = stat()
            #expect(lstat(fixture.directory.path(place), &status) == 0)
            #expect(status.st_mode & S_IFMT == (isLink ? S_IFLNK : S_IFREG))
            // Once it is out of the way, the same partial becomes a document.
            #expect(unlink(fixture.directory.path(place)) == 0)
            guard case .published = try await Self.publish(fixture, 1, in: template + "/z").report else {
                throw Unexpected()
            }
        }
    }

    @Test("At the next start a reserved name in a folder is found, or published again")
    func publication() async throws {
        let fixture = try Fixture()
        let job = try fixture.partial(1, [1, 2])
        let (sealed, _) = try await fixture.sealed(job, "a.jpg")
        let folder = try DocumentFolder("x/y")
        let reservation = Job.Reservation(name: "a.jpg", folder: folder, sealed: sealed)
        // Killed before the folder was made, and after that.
        #expect(fixture.store.publication(of: job, reservation) == .pending(modified: sealed.modified))
        _ = try fixture.directory.directory("documents/x/y")
        #expect(fixture.store.publication(of: job, reservation) == .pending(modified: sealed.modified))
        // Killed after the move, and in the middle of one by links.
        #expect(
            link(
                fixture.directory.path("state/partial/1.part"),
                fixture.directory.path("documents/x/y/a.jpg")
            )
                == 0
        )
        try fixture.restart()
        let path = fixture.directory.path("documents/x/y/a.jpg")
        guard case .published(path, _?) = fixture.store.publication(of: job, reservation) else {
            throw Unexpected()
        }
        #expect(fixture.store.partialLength(of: job) == nil)
        // Another file of that name is none of ours, nor is one that a link leads to.
        #expect(rename(fixture.directory.path("documents/x"), fixture.directory.path("elsewhere")) == 0)
        #expect(symlink(fixture.directory.path("elsewhere"), fixture.directory.path("documents/x")) == 0)
        #expect(fixture.store.publication(of: job, reservation) == .lost)
    }

    @Test("The last document of a folder takes it along, and those above it that are empty then")
    func removed() async throws {
        let fixture = try Fixture()
        var documents: [(job: JobID, path: String, mark: FileMark)] = []
        for (id, folder) in [(1, "x/y"), (2, "x/y"), (3, "x"), (4, "z")] as [(Int64, String)] {
            guard
                case .published(let path, let mark?) = try await Self.publish(fixture, id, in: folder).report
            else { throw Unexpected() }
            documents.append((JobID(rawValue: id), path, mark))
        }
        try fixture.directory.write([9], to: "documents/z/theirs")
        func remove(_ index: Int) async -> StorageReport? {
            let (job, path, mark) = documents[index]
            fixture.store.removeDocument(of: job, at: path, mark: mark)
            return await fixture.next()
        }
        func exists(_ path: String) -> Bool {
            access(fixture.directory.path("documents/" + path), F_OK) == 0
        }
        #expect(await remove(0) == .removed && exists("x/y"))
        #expect(await remove(1) == .removed)
        #expect(!exists("x/y") && exists("x"))
        #expect(await remove(2) == .removed)
        #expect(await remove(3) == .removed)
        #expect(!exists("x") && exists("z/theirs") && exists(""))
        // It is gone, which is what was wanted.
        #expect(await remove(0) == .removed)
    }

    @Test("A document behind a link is not removed")
    func removedBehindLink() async throws {
        let fixture = try Fixture()
        guard case .published(let path, let mark?) = try await Self.publish(fixture, 1, in: "x").report else {
            throw Unexpected()
        }
        #expect(rename(fixture.directory.path("documents/x"), fixture.directory.path("moved")) == 0)
        #expect(symlink(fixture.directory.path("moved"), fixture.directory.path("documents/x")) == 0)
        fixture.store.removeDocument(of: JobID(rawValue: 1), at: path, mark: mark)
        #expect(await fixture.next() == .notRemoved)
        #expect(try fixture.directory.read("moved/a.jpg") == [1, 2, 3])
    }

    @Test("However often a folder is emptied and filled at once, no document is lost")
    func race() async throws {
        let fixture = try Fixture()
        let rounds = 200 as Int64
        for id in 1...rounds {
            let body = BufferedBody([UInt8(id % 256)], of: BufferRoom(limit: 0), taken: 0)
            let wanted = WantedName("\(id).jpg", in: try DocumentLayout(template: "x/y"))
            fixture.store.store(JobID(rawValue: id), body, validator: nil, wantedName: wanted)
        }
        var (stored, removed) = (0, 0)
        while stored + removed < 2 * rounds {
            guard let (job, report) = await fixture.nextOfAny() else { throw Unexpected() }
            switch report {
            case .stored(_, _, let path, let mark?):
                stored += 1
                fixture.store.removeDocument(of: job, at: path, mark: mark)
            case .removed: removed += 1
            default: Issue.record("\(report)")
            }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("documents"))
        #expect(left.isEmpty, "\(left)")
    }

    @Test("What can't be published leaves no empty folder")
    func nothingLeft() async throws {
        let fixture = try Fixture()
        let sealed = SealedPartial(inode: 1, length: 1, sha256: nil)
        let reservation = Job.Reservation(name: "a", folder: try DocumentFolder("x/y"), sealed: sealed)
        fixture.store.publish(JobID(rawValue: 1), reservation, wantedName: "a")
        #expect(Self.code(await fixture.next()) == .storageError)
        #expect(access(fixture.directory.path("documents/x"), F_OK) != 0)
    }

    @Test("A folder is synced once, and again when another has its place")
    func durable() throws {
        let known = DurableFolders()
        let folder = try DocumentFolder("x")
        let identity = DurableFolders.Identity(device: 1, number: 2)
        #expect(!known.knows(folder, identity))
        known.note(folder, identity)
        #expect(known.knows(folder, identity))
        #expect(!known.knows(folder, DurableFolders.Identity(device: 1, number: 3)))
        known.forget(folder)
        #expect(!known.knows(folder, identity))
    }

    @Test(
        "A folder that may not be written to is said to be that, and leaves the partial",
        .enabled(if: geteuid() != 0, "root writes everywhere")
    )
    func refused() async throws {
        let fixture = try Fixture()
        #expect(mkdir(fixture.directory.path("documents/x"), 0o555) == 0)
        let report = try await Self.publish(fixture, 1, in: "x").report
        guard case .publishFailed(let failure, true, let number) = report else { throw Unexpected() }
        #expect(
            failure.code == .storageError && failure.message.contains("the folder \"x\" can't be written to")
        )
        #expect(number == EACCES)
    }
}
