import GRDB
import JobModel
import TestSupport
import Testing

@testable import JobStore

/// Documents that have the name of a sidecar.
struct SidecarNameTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func stored(_ id: Int64, _ name: String) throws -> Job {
        var job = try job(id)
        (job.state, job.name, job.path, job.sha256) = (.stored, name, "/d/\(name)", "ee")
        return job
    }

    @Test("They are found by their name in any case, once they are stored, and through their index")
    func found() async throws {
        let store = try open()
        var queued = try job(4)
        queued.name = "c.jpg.xmp"
        try accept(
            [try stored(1, "a.jpg.xmp"), try stored(2, "A.JPG.XMP"), try stored(3, "b.jpg"), queued],
            into: store
        )
        let found = try store.documents(likeSidecar: "a.jpg.xmp")
        #expect(found.paths.sorted() == ["/d/A.JPG.XMP", "/d/a.jpg.xmp"] && !found.isReserved)
        for name in ["b.jpg", "b.jpg.xmp", "c.jpg.xmp"] {
            #expect(try store.documents(likeSidecar: name).paths.isEmpty)
        }
        let plan = try await store.database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    EXPLAIN QUERY PLAN SELECT path FROM jobs
                    WHERE name = 'a' COLLATE NOCASE AND path IS NOT NULL AND \(JobStore.isSidecarName)
                    """
            ).map { $0["detail"] as String }
        }
        #expect(plan.allSatisfy { $0.contains("USING INDEX documents_like_sidecars") }, "\(plan)")
    }

    @Test("One that is about to get such a name is known, too")
    func reserved() throws {
        let store = try open()
        try accept([try job(1)], into: store)
        try store.database.write {
            try $0.execute(
                sql: """
                    UPDATE jobs SET reserved_name = 'a.jpg.xmp', reserved_inode = 1, reserved_length = 1
                    WHERE id = 1
                    """
            )
        }
        #expect(try store.documents(likeSidecar: "a.jpg.xmp").isReserved)
        #expect(try !store.documents(likeSidecar: "b.jpg.xmp").isReserved)
    }
}
