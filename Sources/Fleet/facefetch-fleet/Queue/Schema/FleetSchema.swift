/// The fleet's tables: those of 0.2.0, and a migration for each later release that changes them.
///
/// Narrow and busy tables stand beside wide ones that are written once: marks in `queue` touch no index, so
/// they are HOT updates, and claiming costs the same however many jobs wait.
enum FleetSchema {
    /// A change of the schema; one that has been released is never edited, but followed by another.
    ///
    /// It is carried out in the schema, in one transaction with whatever else there is to do.
    struct Migration: Hashable, Sendable {
        /// The name that it has in the table `version`.
        var name: String
        /// The statements that it executes.
        var sql: String
    }

    /// The name of the channel on which new jobs are announced to the fleet.
    static let channel = "ff"

    /// Returns whether a text can be a schema's name without being quoted.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 40 else { return false }
        let isLetter = { (byte: UInt8) in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "_")
        }
        return isLetter(first) && !text.hasPrefix("pg_")
            && text.utf8.allSatisfy { isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// The number of the first version, that of 0.2.0: smaller ones had tables before there was a release, and are
    /// taken over by nobody.
    static let first = 22

    /// The first version and the migrations behind it, in order: each brings a schema to the next number, and is
    /// applied once.
    static func migrations(schema: String) -> [Migration] {
        let parts = [
            tables, functions(schema), results, contents, tallies(schema), adding(schema), feeds(schema),
            lives(schema),
            "REVOKE ALL ON SCHEMA \(schema) FROM PUBLIC",
        ]
        return [Migration(name: "0.2.0", sql: parts.joined(separator: ";\n"))]
    }

    /// The number of the version that migrations lead to.
    static func newest(_ migrations: [Migration]) -> Int { first + migrations.count - 1 }
}
