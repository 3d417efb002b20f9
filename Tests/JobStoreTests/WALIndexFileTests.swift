import Glibc
import JobCore
import TestSupport
import Testing

@testable import JobStore

/// SQLite's index of the log, which is written through a mapping.
struct WALIndexFileTests {
    @Test("It has blocks for all of its length, which no commit, reading or reopening takes away")
    func whole() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("jobs.sqlite")
        func blocks() -> Int {
            var status = stat()
            return stat(path + "-shm", &status) == 0 ? Int(status.st_blocks) * 512 : 0
        }
        for _ in 0..<2 {
            let store = try JobStore(path: path)
            #expect(blocks() >= WALIndexFile.length)
            var changes = StoreChanges()
            changes.detectionGateOpen = true
            try store.commit(changes)
            _ = try store.keptEvents(after: 0, limit: 10)
            #expect(blocks() >= WALIndexFile.length)
            try store.close()
        }
    }

    @Test("One that somebody uses is left alone")
    func inUse() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("jobs.sqlite")
        let first = try #require(try WALIndexFile(store: path))
        try directory.write([1, 2, 3], to: "jobs.sqlite-shm")
        let second = try WALIndexFile(store: path)
        #expect(try directory.read("jobs.sqlite-shm") == [1, 2, 3])
        withExtendedLifetime((first, second)) {}
    }
}
