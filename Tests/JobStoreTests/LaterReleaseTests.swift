import GRDB
import Glibc
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// A worked example of a migration: a release after all others that adds a column and an index, and what becomes of a
/// store of the release before.
struct LaterReleaseTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The schema of a release that knows the colour of each job.
    private static let later: DatabaseMigrator = {
        var migrator = Schema.migrator
        migrator.registerMigration("9.0.0") { database in
            try database.change(
                sql: """
                    ALTER TABLE jobs ADD COLUMN colour TEXT CHECK (colour <> '');
                    CREATE INDEX jobs_by_colour ON jobs (colour) WHERE colour IS NOT NULL;
                    """
            )
        }
        return migrator
    }()

    private func openLater() throws -> JobStore {
        let limits = HistoryLimits(usual: 1000, unlogged: 1000)
        return try JobStore(path: path, limits: limits, check: .quick, migrator: Self.later)
    }

    /// Makes a store of today's release with so many jobs, and closes it.
    private func makeStore(jobs: Int64) throws {
        let store = try open()
        try accept(try (1...jobs).map { try job($0) }, into: store)
        try store.close()
    }

    private func copies() throws -> [String] {
        try directory.names().filter { $0.wholeMatch(of: /facefetch\.sqlite\.\d.*Z/) != nil }.sorted()
    }

    @Test("A store of the release before is migrated, and a copy of it is kept as it was")
    func migrates() async throws {
        try makeStore(jobs: 3)
        do {
            let store = try openLater()
            let job = try #require(try await store.job(JobID(rawValue: 2)))
            #expect(job.url.text == "https://example.org/2.jpg")
            try await store.database.write {
                try $0.execute(sql: "UPDATE jobs SET colour = 'red' WHERE id = 2")
            }
            try store.close()
        }
        let copies = try copies()
        let copy = try #require(copies.first)
        let release = try #require(Schema.migrator.migrations.last)
        #expect(copies.count == 1 && copy.hasPrefix("facefetch.sqlite.\(release)-"), "\(copies)")
        let old = try DatabaseQueue(path: directory.path(copy))
        let count = try await old.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM jobs") }
        let columns = try await old.read { try $0.columns(in: "jobs").map(\.name) }
        #expect(count == 3 && !columns.contains("colour"))
        // Nothing is left to migrate: no second copy.
        try openLater().close()
        #expect(try self.copies() == copies)
        // Today's release can't go on from it.
        #expect(throws: JobStoreError.newerSchema(path: path)) { try open() }
    }

    @Test(
        "A damaged value is no reason not to bring a store up to date",
        arguments: [
            "state = 'nonsense'", "state = NULL", "url = NULL", "priority = NULL", "priority = 'x'",
            "batch = 99", "batch = NULL", "batch = 'x'", "name = ''", "bytes = -1", "waiting_code = 'x'",
        ]
    )
    func migratesDamaged(assignment: String) async throws {
        try makeStore(jobs: 5)
        try damage("UPDATE jobs SET \(assignment) WHERE id = 3")
        let store = try openLater()
        let state = try store.storedState()
        #expect(Set(try store.waiting().transfers).isSuperset(of: [1, 2, 4, 5]))
        #expect(state.jobsByState.values.reduce(0, +) == 5)
        #expect(try await store.jobs(JobFilter(), after: nil, limit: 10).items.count == 5)
        try store.close()
    }

    @Test("Only its owner can read the store, and the copy")
    func modes() throws {
        try makeStore(jobs: 1)
        chmod(path, 0o644)
        let store = try openLater()
        try store.commit(StoreChanges())
        #expect(try copies().count == 1)
        for name in try directory.names() {
            var status = stat()
            #expect(stat(directory.path(name), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
        try store.close()
    }

    @Test("The copy is nobody else's to read while it is made, either")
    func modeOfCopyInTheMaking() async throws {
        try makeStore(jobs: 5000)
        let draft = path + ".copy-incomplete"
        let isDone = Atomic(false)
        async let widest = {
            var widest: mode_t = 0
            while !isDone.load(ordering: .acquiring) {
                var status = stat()
                if stat(draft, &status) == 0 { widest |= status.st_mode & 0o777 }
                await Task.yield()
            }
            return widest
        }()
        try openLater().close()
        isDone.store(true, ordering: .releasing)
        #expect(await widest & 0o077 == 0)
    }

    @Test("Of the copies the newest two stay, and nothing else goes")
    func twoCopies() throws {
        try makeStore(jobs: 1)
        let others = [
            "facefetch.sqlite.damaged-20200101T000000Z", "facefetch.sqlite.0.2.0-mine",
            "other.0.2.0-20200101T000000Z",
        ]
        let older = ["0.2.0-20200101T000000Z", "0.1.0-20210101T000000Z"].map { "facefetch.sqlite." + $0 }
        for name in others + older { try directory.write([1], to: name) }
        try openLater().close()
        #expect(Set(others).isSubset(of: try directory.names()))
        let copies = try copies()
        #expect(copies.count == 2 && copies.first == older[1], "\(copies)")
        // Also where nothing is left to migrate, as those of an earlier daemon may be more.
        try directory.write([1], to: older[0])
        try openLater().close()
        #expect(try self.copies() == copies)
    }
}
