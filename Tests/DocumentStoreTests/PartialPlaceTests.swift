import Foundation
import Glibc
import JobCore
import TestSupport
import Testing

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
            move: Move(usesLinksOnly: false)
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

    @Test("What a version has left that didn't say where is taken where there is no doubt")
    func earlierVersion() throws {
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
}
