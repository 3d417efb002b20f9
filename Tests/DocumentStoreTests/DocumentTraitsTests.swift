import Glibc
import JobModel
import Testing

@testable import DocumentStore

@Suite("A document", .timeLimit(.minutes(1)))
struct DocumentTraitsTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 100)
    /// 2024-02-29T12:00:00Z.
    private static let time: Int64 = 1_709_208_000

    private func nanoseconds(_ fixture: DocumentStoreFixture, _ name: String) throws -> Int64 {
        try #require(fixture.store.mark(ofDocument: fixture.directory.path("documents/\(name)"))).modified
    }

    @Test("has the time that it is to have, by which it is known again, also after a crash")
    func time() async throws {
        let fixture = try DocumentStoreFixture()
        let traits = DocumentTraits(modified: Self.time)
        let job = try fixture.partial(7, Self.jpeg)
        let (sealed, name) = try await fixture.sealed(job, "a.jpg", traits)
        #expect(sealed.modified == Self.time * 1_000_000_000)
        let reservation = Job.Reservation(name: name, sealed: sealed)
        try fixture.restart()
        #expect(fixture.store.publication(of: job, reservation) == .pending(modified: sealed.modified))
        fixture.store.publish(job, reservation, wantedName: name)
        guard case .published(_, let mark?) = await fixture.next() else {
            Issue.record("not published")
            return
        }
        #expect(mark.isOf(sealed))
        #expect(try nanoseconds(fixture, "a.jpg") == Self.time * 1_000_000_000)
        try fixture.restart()
        #expect(
            fixture.store.publication(of: job, reservation)
                == .published(path: fixture.directory.path("documents/a.jpg"), mark: mark)
        )
    }

    @Test("from memory has its time, too, and is known again after a crash")
    func timeInMemory() async throws {
        let fixture = try DocumentStoreFixture()
        let traits = DocumentTraits(modified: Self.time)
        let stored = try await fixture.store(3, Self.jpeg, "a.jpg", traits)
        #expect(stored.mark.isOf(stored.reservation.sealed))
        #expect(try nanoseconds(fixture, "a.jpg") == Self.time * 1_000_000_000)
        try fixture.restart()
        #expect(fixture.store.unconfirmedDocuments().count == 1)
    }

    @Test("without such a time has that of its arrival")
    func arrival() async throws {
        let fixture = try DocumentStoreFixture()
        let before = Int64(Glibc.time(nil)) - 1
        _ = try await fixture.store(3, Self.jpeg, "a.jpg")
        #expect(try nanoseconds(fixture, "a.jpg") >= before * 1_000_000_000)
    }

    @Test("gets the extension of its content, and a number if that name is taken", arguments: [false, true])
    func names(isInMemory: Bool) async throws {
        let fixture = try DocumentStoreFixture()
        try fixture.directory.write([1], to: "documents/photo.jpg")
        if isInMemory {
            #expect(try await fixture.store(3, Self.jpeg, "photo.php").reservation.name == "photo (2).jpg")
            let kept = DocumentTraits(adjustsExtension: false)
            #expect(try await fixture.store(4, Self.jpeg, "photo.php", kept).reservation.name == "photo.php")
            #expect(try await fixture.store(5, [1, 2], "photo.asp").reservation.name == "photo.asp")
        } else {
            let job = try fixture.partial(3, Self.jpeg)
            fixture.store.seal(job, wantedName: "photo.php", mustHash: false)
            guard case .sealed(_, _, "photo (2).jpg", "photo.jpg") = await fixture.next() else {
                Issue.record("another name")
                return
            }
            let kept = DocumentTraits(adjustsExtension: false)
            #expect(
                try await fixture.sealed(fixture.partial(4, Self.jpeg), "photo.php", kept).1 == "photo.php"
            )
            #expect(try await fixture.sealed(fixture.partial(5, [1, 2]), "photo.asp").1 == "photo.asp")
            #expect(try await fixture.sealed(fixture.partial(6, []), "empty").1 == "empty")
        }
    }
}
