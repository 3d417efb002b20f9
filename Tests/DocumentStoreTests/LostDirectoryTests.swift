import Foundation
import Glibc
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import DocumentStore

/// Directories that somebody moves, removes or replaces while they are in use.
@Suite("Directories that are taken away", .timeLimit(.minutes(1)))
struct LostDirectoryTests {
    /// Changes that somebody has made to the documents directory, and their undoing.
    enum Deed: String, CaseIterable, CustomTestStringConvertible {
        case moved, replacedByLink, replacedByLinkToItself, removed, parentMoved
        var testDescription: String { rawValue }

        func `do`(in directory: TemporaryDirectory) throws {
            let (path, other) = (directory.path("outer/documents"), directory.path("elsewhere"))
            switch self {
            case .moved: try move(path, other)
            case .replacedByLink:
                try FileManager.default.moveItem(atPath: path, toPath: directory.path("kept"))
                _ = try directory.directory("elsewhere")
                #expect(symlink(other, path) == 0)
            case .replacedByLinkToItself:
                try move(path, other)
                #expect(symlink(other, path) == 0)
            case .removed: try FileManager.default.removeItem(atPath: path)
            case .parentMoved: try move(directory.path("outer"), other)
            }
        }

        func undo(in directory: TemporaryDirectory) throws {
            let (path, other) = (directory.path("outer/documents"), directory.path("elsewhere"))
            switch self {
            case .moved: try move(other, path)
            case .replacedByLink:
                #expect(unlink(path) == 0)
                try move(directory.path("kept"), path)
            case .replacedByLinkToItself:
                #expect(unlink(path) == 0)
                try move(other, path)
            case .removed: _ = try directory.directory("outer/documents")
            case .parentMoved: try move(other, directory.path("outer"))
            }
        }

        private func move(_ path: String, _ other: String) throws {
            try FileManager.default.moveItem(atPath: path, toPath: other)
        }
    }

    private final class Count: Sendable {
        let value = Mutex(0)
    }

    /// A store whose documents are in `outer/documents`, and what it reports.
    private final class Bench {
        let directory: TemporaryDirectory
        let store: DocumentStore
        let replacements = Count()
        private var reports: AsyncStream<(JobID, StorageReport)>.Iterator

        init() throws {
            directory = try TemporaryDirectory()
            let (stream, tell) = AsyncStream<(JobID, StorageReport)>.makeStream()
            reports = stream.makeAsyncIterator()
            var hearers = DocumentHearers()
            hearers.replaced = { [replacements] in replacements.value.withLock { $0 += 1 } }
            store = try DocumentStore(
                stateDirectory: directory.path("state"),
                documentsDirectory: directory.path("outer/documents"),
                hearers: hearers
            ) { for report in $0 { tell.yield(report) } }
        }

        deinit { store.shutdown() }

        func next() async -> StorageReport? { await reports.next()?.1 }

        func post(_ id: Int64, _ bytes: [UInt8]) {
            let body = BufferedBody(bytes, of: BufferRoom(limit: 0), taken: 0)
            store.store(JobID(rawValue: id), body, validator: nil, wantedName: "\(id).jpg")
        }
    }

    @Test(
        "Nothing is stored where nobody is told that it is; all goes on once the directory is back",
        arguments: Deed.allCases
    )
    func documents(deed: Deed) async throws {
        let bench = try Bench()
        try bench.directory.write([1, 2, 3], to: "state/partial/7.part")
        let job = JobID(rawValue: 7)
        bench.store.seal(job, wantedName: "7.jpg", mustHash: false)
        guard case .sealed(let sealed, _, let name, _) = await bench.next() else {
            Issue.record("it can't be sealed")
            return
        }
        #expect(bench.store.obstacle() == nil && bench.store.findAgain() == nil)
        try deed.do(in: bench.directory)
        let obstacle = try #require(bench.store.findAgain())
        #expect(obstacle.contains(bench.directory.path("outer/documents")))
        bench.store.publish(job, Job.Reservation(name: name, sealed: sealed), wantedName: "7.jpg")
        bench.post(8, [4, 5])
        for _ in 1...20 { #expect(bench.store.findAgain() != nil) }
        for place in ["elsewhere", "kept", "elsewhere/documents"] {
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: bench.directory.path(place))) ?? []
            #expect(!names.contains("7.jpg") && !names.contains("8.jpg"))
        }
        try deed.undo(in: bench.directory)
        var paths: Set<String> = []
        for _ in 1...2 {
            switch await bench.next() {
            case .published(let path, _), .stored(_, _, let path, _): paths.insert(path)
            case let other: Issue.record("\(String(describing: other))")
            }
        }
        #expect(paths == Set(["7.jpg", "8.jpg"].map { bench.directory.path("outer/documents/\($0)") }))
        #expect(try bench.directory.read("outer/documents/7.jpg") == [1, 2, 3])
        #expect(try bench.directory.read("outer/documents/8.jpg") == [4, 5])
        #expect(bench.store.obstacle() == nil)
        // Detectors that were let into the old one are told.
        #expect(bench.replacements.value.withLock(\.self) == (deed == .removed ? 1 : 0))
    }

    @Test("A directory that takes the other's place is used as soon as it is there")
    func replaced() async throws {
        let bench = try Bench()
        let path = bench.directory.path("outer/documents")
        try FileManager.default.moveItem(atPath: path, toPath: bench.directory.path("old"))
        _ = try bench.directory.directory("outer/documents")
        bench.post(1, [1])
        guard case .stored(_, _, let stored, _) = await bench.next() else {
            Issue.record("it isn't stored")
            return
        }
        #expect(stored == path + "/1.jpg")
        #expect(try bench.directory.read("outer/documents/1.jpg") == [1])
        #expect(bench.replacements.value.withLock(\.self) == 1)
    }

    @Test("A link that was there from the beginning may lead elsewhere later")
    func retargeted() async throws {
        let directory = try TemporaryDirectory()
        let (first, second) = (try directory.directory("first"), try directory.directory("second"))
        #expect(symlink(first, directory.path("documents")) == 0)
        let (stream, tell) = AsyncStream<StorageReport>.makeStream()
        let store = try DocumentStore(
            stateDirectory: directory.path("state"),
            documentsDirectory: directory.path("documents")
        ) { for report in $0 { tell.yield(report.1) } }
        defer { store.shutdown() }
        #expect(store.obstacle() == nil)
        #expect(unlink(directory.path("documents")) == 0 && symlink(second, directory.path("documents")) == 0)
        let body = BufferedBody([1], of: BufferRoom(limit: 0), taken: 0)
        store.store(JobID(rawValue: 1), body, validator: nil, wantedName: "a.jpg")
        var reports = stream.makeAsyncIterator()
        guard case .stored = await reports.next() else {
            Issue.record("it isn't stored")
            return
        }
        #expect(try directory.read("second/a.jpg") == [1])
    }

    @Test("Partials are made anew where their directory was removed, and a job learns that its own is gone")
    func partials() async throws {
        let bench = try Bench()
        try bench.directory.write([1, 2, 3], to: "state/partial/7.part")
        try FileManager.default.removeItem(atPath: bench.directory.path("state/partial"))
        bench.store.seal(JobID(rawValue: 7), wantedName: "7.jpg", mustHash: false)
        guard case .sealFailed(let failure, _, _) = await bench.next() else {
            Issue.record("it is sealed")
            return
        }
        #expect(failure.code == .storageLost)
        bench.post(8, [4])
        guard case .stored = await bench.next() else {
            Issue.record("it isn't stored")
            return
        }
        #expect(bench.store.obstacle() == nil)
    }

    @Test("What lies in a directory of partials that comes in another one's place is no job's")
    func olderPartials() async throws {
        let bench = try Bench()
        try bench.directory.write([1, 2, 3], to: "state/partial/7.part")
        _ = try bench.directory.directory("older")
        try bench.directory.write([9, 0, 0], to: "older/7.part")
        let path = bench.directory.path("state/partial")
        try FileManager.default.moveItem(atPath: path, toPath: bench.directory.path("away"))
        try FileManager.default.moveItem(atPath: bench.directory.path("older"), toPath: path)
        bench.store.seal(JobID(rawValue: 7), wantedName: "7.jpg", mustHash: false)
        guard case .sealFailed(let failure, _, _) = await bench.next() else {
            Issue.record("it is sealed")
            return
        }
        #expect(failure.code == .storageLost)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".part") } == []
        )
        #expect(bench.store.obstacle() == nil)
    }

    @Test("Another state directory is not taken for the one that was there")
    func state() async throws {
        let bench = try Bench()
        let (path, other) = (bench.directory.path("state"), bench.directory.path("other"))
        try FileManager.default.moveItem(atPath: path, toPath: other)
        _ = try bench.directory.directory("state")
        #expect(bench.store.findAgain()?.contains(path) == true)
        bench.post(8, [4])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: other, toPath: path)
        guard case .stored = await bench.next() else {
            Issue.record("it isn't stored")
            return
        }
    }

    @Test("No document is removed from a directory that was moved, and none counts as removed meanwhile")
    func removal() async throws {
        let bench = try Bench()
        bench.post(1, [1])
        guard case .stored(_, _, let path, let mark?) = await bench.next() else {
            Issue.record("it isn't stored")
            return
        }
        try Deed.moved.do(in: bench.directory)
        bench.store.removeDocument(of: JobID(rawValue: 1), at: path, mark: mark)
        #expect(try bench.directory.read("elsewhere/1.jpg") == [1])
        try Deed.moved.undo(in: bench.directory)
        #expect(await bench.next() == .removed)
    }

    @Test("A document that can't be found is hashed once it can")
    func hashing() async throws {
        let bench = try Bench()
        let path = try bench.directory.write([1, 2, 3], to: "outer/documents/a.jpg")
        try Deed.moved.do(in: bench.directory)
        bench.store.hash(JobID(rawValue: 1), Document(path: path, length: 3, inode: nil))
        try Deed.moved.undo(in: bench.directory)
        guard case .hashed = await bench.next() else {
            Issue.record("it isn't hashed")
            return
        }
    }
}
