import GRDB
import Testing

@testable import JobStore

@Suite("Columns that migrations add, whatever damage there is")
struct SchemaChangeTests {
    @Test("A row that breaks a condition keeps no column from being added, and stays as it is")
    func broken() throws {
        let queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE things (number INTEGER CHECK (number > 0), name TEXT NOT NULL, CHECK (name <> '')) STRICT;
                    PRAGMA ignore_check_constraints = ON;
                    INSERT INTO things VALUES (0, 'broken'), (2, 'whole');
                    PRAGMA ignore_check_constraints = OFF;
                    """
            )
            try database.change(
                sql: """
                    ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 7 CHECK (size >= 0);
                    ALTER TABLE things ADD COLUMN word TEXT;
                    UPDATE things SET size = 8 WHERE number = 2;
                    """
            )
            #expect(
                try Row.fetchAll(database, sql: "SELECT name, size, word FROM things").map { "\($0)" } == [
                    #"[name:"broken" size:7 word:NULL]"#, #"[name:"whole" size:8 word:NULL]"#,
                ]
            )
            #expect(throws: DatabaseError.self) { try database.execute(sql: "UPDATE things SET size = -1") }
            #expect(throws: DatabaseError.self) {
                try database.execute(sql: "INSERT INTO things (number, name) VALUES (3, '')")
            }
            #expect(throws: DatabaseError.self) {
                try database.change(sql: "ALTER TABLE things ADD COLUMN word TEXT")
            }
        }
        let names = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM things") }
        #expect(names == ["broken", "whole"])
    }
}
