/// The fleet's tables, as migrations that are applied once each, in order.
///
/// Narrow and busy tables stand beside wide ones that are written once: marks in `queue` touch no index, so
/// they are HOT updates, and claiming costs the same however many jobs wait.
enum FleetSchema {
    /// A change of the schema; one that has been released is never edited, but followed by another.
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

    /// The migrations in order; each brings a schema to the version that is its place, from 1.
    static func migrations(schema: String) -> [Migration] {
        [
            Migration(name: "tables", sql: tables),
            Migration(name: "functions", sql: functions(schema)),
            Migration(name: "results by time", sql: times),
            Migration(name: "hosts", sql: hosts),
            Migration(name: "nodes that are gone", sql: goneNodes),
            Migration(name: "slices", sql: slices),
            Migration(name: "checked items", sql: checkedItems(schema)),
            Migration(name: "header fields that are gone", sql: goneHeaders),
            Migration(name: "folders and facts", sql: facts(schema)),
            Migration(name: "order of records", sql: order),
            Migration(name: "contents", sql: contents),
            Migration(name: "nodes that rest", sql: restingNodes),
            Migration(name: "tallies", sql: tallies(schema)),
            Migration(name: "feeds", sql: feeds(schema)),
            Migration(name: "lives", sql: lives(schema)),
            Migration(name: "checked ports", sql: checkedPorts(schema)),
        ]
    }
}
