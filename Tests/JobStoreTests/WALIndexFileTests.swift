import GRDB
import Glibc
import JobModel
import TestSupport
import Testing
import Vocabulary

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

    @Test("It has blocks for a log that readers make long, before SQLite needs them", .timeLimit(.minutes(2)))
    func longLog() async throws {
        let directory = try TemporaryDirectory()
        let store = try JobStore(path: directory.path("jobs.sqlite"))
        func size(_ suffix: String) -> stat {
            var status = stat()
            #expect(stat(store.path + suffix, &status) == 0)
            return status
        }
        // Who reads what the log began with keeps it from beginning anew.
        try await store.database.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM jobs") }
        let snapshot = try store.database.makeSnapshot()
        try await snapshot.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM jobs") }
        let long = String(repeating: "x", count: 15 << 20)
        for id in 1...20 as ClosedRange<Int64> {
            var changes = StoreChanges()
            let moment = Moment(microseconds: id)
            changes.newBatches = [
                StoreChanges.NewBatch(
                    id: BatchID(rawValue: id),
                    createdAt: moment,
                    submittedBy: nil,
                    jobs: JobID(rawValue: id)...JobID(rawValue: id),
                    isVisible: true
                )
            ]
            changes.newJobs = [
                Job(
                    id: JobID(rawValue: id),
                    batch: BatchID(rawValue: id),
                    createdAt: moment,
                    url: try JobURL("http://example.org/"),
                    name: long
                )
            ]
            let before = Int64(size("-wal").st_size)
            try store.commit(changes)
            let needed = WALIndexFile.length(ofIndexOf: before + WALIndexFile.transactionLength)
            #expect(Int(size("-shm").st_blocks) * 512 >= needed)
        }
        #expect(Int64(size("-wal").st_size) > 300 << 20)
        #expect(Int(size("-shm").st_size) > WALIndexFile.length)
        try snapshot.close()
        #expect(try store.jobIDs(in: [.queued]).count == 20)
        try store.close()
    }

    @Test("What SQLite has written of it stays")
    func coversWhatIsThere() throws {
        let directory = try TemporaryDirectory()
        let index = try #require(try WALIndexFile(store: directory.path("jobs.sqlite")))
        let file = open(directory.path("jobs.sqlite-shm"), O_RDWR | O_CLOEXEC)
        #expect(pwrite(file, [1, 2, 3] as [UInt8], 3, off_t(WALIndexFile.length + 8192)) == 3)
        let log: Int64 = 1 << 30
        try index.cover(logOf: log)
        var status = stat()
        #expect(fstat(file, &status) == 0)
        #expect(Int(status.st_blocks) * 512 >= WALIndexFile.length(ofIndexOf: log))
        var bytes: [UInt8] = [0, 0, 0, 0]
        let count = pread(file, &bytes, 4, off_t(WALIndexFile.length + 8191))
        #expect(count == 4)
        #expect(bytes == [0, 1, 2, 3])
        close(file)
    }
}
