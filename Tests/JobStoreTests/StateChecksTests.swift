import GRDB
import JobModel
import TestSupport
import Testing

@testable import JobStore

/// Tests of what the schema requires of a job's state.
struct StateChecksTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("The conditions on states need no temporary table, and refuse what they refused before")
    func comparisons() throws {
        let store = try open()
        try accept([try job(1), try job(2)], into: store)
        try store.database.write { database in
            let schema = try String.fetchOne(
                database,
                sql: "SELECT sql FROM sqlite_schema WHERE name = 'jobs'"
            )
            #expect(schema?.contains("state IN") == false && schema?.contains("state NOT IN") == false)
            let codes = try Row.fetchAll(
                database,
                sql: "EXPLAIN UPDATE jobs SET state = 'stored', path = 'a', sha256 = 'b' WHERE id = 1"
            )
            // What is left belongs to an index of reserved names, and is made only for a job that has one.
            let tables = codes.count { $0["opcode"] == "OpenEphemeral" }
            #expect(tables == 2)
            for refused in ["'lost'", "'stored'", "'detecting'", "'done'", "''", "NULL", "1"] {
                #expect(throws: DatabaseError.self) {
                    try database.execute(sql: "UPDATE jobs SET state = \(refused) WHERE id = 1")
                }
            }
            for state in ["queued", "downloading", "paused", "cancelled"] {
                try database.execute(sql: "UPDATE jobs SET state = ? WHERE id = 1", arguments: [state])
            }
            for state in ["stored", "detecting", "done"] {
                try database.execute(
                    sql: "UPDATE jobs SET state = ?, path = 'a', sha256 = 'b' WHERE id = 2",
                    arguments: [state]
                )
            }
        }
    }

    @Test("Of a job that was read, only what has changed is written, and a damaged value beside it is mended")
    func knownRows() throws {
        let store = try open()
        try accept(try (1...3000).map { try job($0) }, into: store)
        try store.database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: "UPDATE jobs SET priority = 1000 WHERE id = 2000")
            try database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
        }
        for id in [1, 1999, 2000, 3000] as [Int64] {
            var job = try #require(try store.jobs([.init(rawValue: id)]).first)
            job.bytes = 7
            var changes = StoreChanges()
            changes.changedJobs = [job]
            try store.commit(changes)
            let written = try #require(try store.jobs([.init(rawValue: id)]).first)
            #expect(written == job)
        }
        let priority = try store.database.read { database in
            try Int.fetchOne(database, sql: "SELECT priority FROM jobs WHERE id = 2000")
        }
        #expect(priority == 100)
    }
}
