import Foundation
import Glibc
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import DocumentStore

/// Another disk than that of temporary files.
private enum TwoDisks {
    static let other = "/dev/shm"

    static var areThere: Bool {
        var (one, two) = (stat(), stat())
        return stat("/tmp", &one) == 0 && stat(other, &two) == 0 && one.st_dev != two.st_dev
    }
}

/// Partials that earlier runs have left, in this directory or in another one.
@Suite("Partials of earlier runs", .enabled(if: TwoDisks.areThere, "needs two file systems"))
struct PartialPlaceTests {
    private let job = JobID(rawValue: 7)
    private let directory: TemporaryDirectory
    /// Documents that are moved to from the state directory, and such as are on another disk.
    private let near: String
    private let far: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory(in: "/tmp")
        near = directory.path("documents")
        far = try TemporaryDirectory(in: TwoDisks.other)
    }

    /// Opens the directories of a run, one of which is that of documents; returns the length of the job's partial.
    @discardableResult
    private func run(_ documents: String, leaving bytes: [UInt8]? = nil) throws -> Int64? {
        let place = try DocumentPlace(
            state: directory.path("state"),
            documents: documents,
            move: Move(usesLinksOnly: false),
            hearers: DocumentHearers()
        )
        #expect(place.folders.keepsPartialsWithDocuments == (documents != near))
        let name = DocumentStore.partialName(job)
        let length = place.folders.partials.file(name)?.length
        let path = place.folders.partials.path + "/" + name
        if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
        return length
    }

    @Test("A partial stays from run to run in one place")
    func stays() throws {
        for documents in [near, far.path("documents")] {
            #expect(try run(documents, leaving: [1, 2, 3]) == nil)
            #expect(try run(documents) == 3)
            #expect(try run(documents) == 3)
        }
    }

    @Test("One of an earlier place is not taken for one of the place since, nor the other way round")
    func otherPlace() throws {
        try run(near, leaving: [1, 2, 3])
        #expect(try run(far.path("documents"), leaving: [4, 5]) == nil)
        #expect(try run(near, leaving: [6]) == nil)
        #expect(try run(far.path("documents")) == nil)
        #expect(try run(near) == nil)
    }

    @Test("One in another documents directory of the same name is no job's")
    func otherDirectory() throws {
        try run(far.path("documents"), leaving: [1, 2, 3])
        try run(far.path("others"), leaving: [4, 5])
        #expect(rename(far.path("documents"), far.path("kept")) == 0)
        #expect(rename(far.path("others"), far.path("documents")) == 0)
        // As it was before the last run, which was somewhere else.
        #expect(rename(far.path("kept"), far.path("others")) == 0)
        #expect(try run(far.path("others")) == nil)
    }

    @Test("A directory that was moved, with the state's or without, is still the same")
    func moved() throws {
        try run(far.path("documents"), leaving: [1, 2, 3])
        #expect(rename(far.path("documents"), far.path("moved")) == 0)
        #expect(try run(far.path("moved")) == 3)
    }

    @Test("What there was no room to note is taken where there is no doubt")
    func withoutNote() throws {
        _ = try directory.directory("state/partial")
        try directory.write([1, 2, 3], to: "state/partial/7.part")
        #expect(try run(near) == 3)
        let other = try PartialPlaceTests()
        _ = try other.directory.directory("state/partial")
        _ = try other.far.directory("documents/.facefetch-partial")
        try other.directory.write([1, 2, 3], to: "state/partial/7.part")
        try other.far.write([4, 5], to: "documents/.facefetch-partial/7.part")
        #expect(try other.run(other.far.path("documents")) == nil)
    }

    /// Settles where partials are, on a file system that says so much of their directory; returns the length of the
    /// job's partial.
    private func settle(
        _ documents: String,
        number: UInt64 = 2,
        birth: Int64 = 0,
        keepsNumber: Bool = false,
        leaving bytes: [UInt8]? = nil
    ) throws -> Int64? {
        let state = directory.path("state")
        let folders = try Folders(
            documents: try Directory(creating: documents, mode: 0o755),
            state: state,
            move: Move(usesLinksOnly: false)
        )
        let home = try Directory(creating: state, mode: 0o700)
        try PartialOrigin.settle(folders, in: home) { _ in
            .init(number: number, birth: birth, keepsNumber: keepsNumber)
        }
        let name = DocumentStore.partialName(job)
        let length = folders.partials.file(name)?.length
        let path = folders.partials.path + "/" + name
        if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
        return length
    }

    @Test("Where a file system says nothing that tells directories apart, a token in them does")
    func token() throws {
        let (one, two) = (far.path("documents"), far.path("others"))
        #expect(try settle(one, leaving: [1, 2, 3]) == nil)
        #expect(try settle(one) == 3)
        // Of another volume, with the numbers of the first.
        _ = try far.directory("others/.facefetch-partial")
        try far.write([4, 5], to: "others/.facefetch-partial/7.part")
        #expect(try settle(two, leaving: [6]) == nil)
        #expect(try settle(one) == nil, "jobs have gone on elsewhere")
        #expect(try settle(two) == nil)
    }

    @Test("Numbers that change with each mount discard nothing")
    func renumbered() throws {
        let documents = far.path("documents")
        #expect(try settle(documents, number: 1, leaving: [1, 2, 3]) == nil)
        for number in UInt64(2)...4 { #expect(try settle(documents, number: number) == 3) }
    }

    @Test(
        "A copy is another directory where it was born at another time or has a number of its own, and else the same",
        arguments: [(0, false, 3), (9, false, nil), (0, true, nil), (9, true, nil)] as [(Int64, Bool, Int64?)]
    )
    func copied(_ birth: Int64, _ keepsNumber: Bool, _ length: Int64?) throws {
        let (one, two) = (far.path("documents"), far.path("copy"))
        #expect(try settle(one, birth: birth, keepsNumber: keepsNumber, leaving: [1, 2, 3]) == nil)
        #expect(try settle(one, birth: birth, keepsNumber: keepsNumber) == 3)
        try FileManager.default.copyItem(atPath: one, toPath: two)
        let later = birth == 0 ? 0 : birth + 1
        #expect(try settle(two, number: 3, birth: later, keepsNumber: keepsNumber) == length)
    }

    @Test("A directory with two tokens is that of neither, and gets one of its own")
    func twoTokens() throws {
        let documents = far.path("documents")
        #expect(try settle(documents, leaving: [1, 2, 3]) == nil)
        try far.write([], to: "documents/.facefetch-partial/.facefetch-token-1-2")
        #expect(try settle(documents, leaving: [1, 2]) == nil)
        #expect(try settle(documents) == 2)
    }

    @Test("Where there was no room for a note, the next start trusts no partial")
    func noRoom() throws {
        #expect(try run(near, leaving: [1, 2, 3]) == nil)
        let state = directory.path("state")
        let notes = try FileManager.default.contentsOfDirectory(atPath: state)
            .filter { $0.hasPrefix("partials-in-") }
        #expect(notes.count == 1)
        try #require(rename("\(state)/\(notes[0])", "\(state)/partials-in-nowhere") == 0)
        #expect(try run(near, leaving: [1]) == nil)
        #expect(try run(near) == 1)
    }

    @Test(
        "No start fails for want of room, or of syncing of directories",
        arguments: [
            (0, false), (ENOSPC, false), (EDQUOT, false), (EINVAL, false), (EOPNOTSUPP, false),
            (EACCES, true),
        ]
    )
    func errors(number: CInt, fails: Bool) {
        let check = { () throws(DocumentStoreError) in try PartialOrigin.check(number, "/state") }
        #expect(((try? check()) == nil) == fails)
    }
}
