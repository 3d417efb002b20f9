import Foundation
import GRDB
import Glibc

/// A text that one name among very many contains: how long it takes to find it, beside a narrow table of texts and
/// beside a scan of the jobs.
struct Searches: Measure {
    static let name = "search"
    let plan: Plan

    /// What people notice, in milliseconds.
    private static let noticed = 150.0
    /// The searches that follow the first one.
    private static let later = 10

    /// The times of searches, in milliseconds.
    private struct Times {
        var first: [Double] = []
        var later: [Double] = []

        mutating func add(_ milliseconds: Double, isFirst: Bool) {
            if isFirst { first.append(milliseconds) } else { later.append(milliseconds) }
        }
    }

    func run(_ workshop: Workshop) throws -> [Row] {
        var (daemon, scan, table): (Times, Times, Times) = (Times(), Times(), Times())
        var filling: [Double] = []
        try workshop.withDirectory("ours") { directory in
            let store = directory + "/state/facefetch.sqlite"
            try MadeStore(state: .done).make(in: directory + "/state", jobs: plan.million)
            for _ in 0..<plan.runs {
                try measureDaemon(directory, &daemon)
                try measure(DatabaseQueue(path: store), Self.inJobs, &scan)
            }
            filling.append(try fillTable(beside: store))
            for _ in 0..<plan.runs {
                try measure(DatabaseQueue(path: store + "-texts"), Self.inTexts, &table)
            }
        }
        let jobs = "\(plan.million) jobs"
        return rows("\(jobs): a text in one name", daemon, limit: Self.noticed)
            + rows("\(jobs): the same by a scan of the jobs", scan, limit: nil)
            + rows("\(jobs): the same by a narrow table", table, limit: nil)
            + [Row("\(jobs): filling that table", unit: "s", values: filling, limit: nil, aim: nil)]
    }

    private func rows(_ words: String, _ times: Times, limit: Double?) -> [Row] {
        [
            Row("\(words), first", unit: "ms", values: times.first, limit: limit, aim: nil),
            Row("\(words), later", unit: "ms", values: times.later, limit: limit, aim: nil),
        ]
    }

    // MARK: The daemon

    /// The first search is that of somebody who has just opened the list, or who asks by the command at once.
    private func measureDaemon(_ directory: String, _ times: inout Times) throws {
        let daemon = try Facefetch(in: directory, concurrency: 1)
        defer { daemon.kill(SIGKILL) }
        try daemon.untilQuiet()
        let connection = try daemon.connection()
        for number in 0...Self.later {
            let name = Self.name(number, of: plan.million)
            let begun = Clock.seconds()
            let page = try connection.get("/v1/jobs?q=\(name)&limit=50")
            times.add((Clock.seconds() - begun) * 1000, isFirst: number == 0)
            guard String(decoding: page, as: UTF8.self).contains("\"\(name)\"") else {
                throw BenchError.failed("\(name) was not found")
            }
        }
    }

    /// A name in the middle, where no search begins, which no other name contains.
    private static func name(_ number: Int, of count: Int) -> String { "\(count / 2 + 7 * number).jpg" }

    // MARK: SQLite alone

    private static let inJobs = """
        SELECT id FROM jobs WHERE name LIKE ? OR CASE WHEN instr(url, '@') = 0 THEN url ELSE '' END LIKE ? LIMIT 51
        """
    private static let inTexts = "SELECT id FROM texts WHERE name LIKE ? OR url LIKE ? LIMIT 51"

    private func measure(_ database: DatabaseQueue, _ statement: String, _ times: inout Times) throws {
        for number in 0...Self.later {
            let pattern = "%/" + Self.name(number, of: plan.million) + "%"
            let begun = Clock.seconds()
            let found = try database.read { database in
                try Int64.fetchAll(database, sql: statement, arguments: [pattern, pattern])
            }
            times.add((Clock.seconds() - begun) * 1000, isFirst: number == 0)
            guard found.count == 1 else {
                throw BenchError.failed("\(pattern) was found \(found.count) times")
            }
        }
        try database.close()
    }

    /// Copies the texts of all jobs into a table of their own; returns the seconds that it takes.
    private func fillTable(beside store: String) throws -> Double {
        let database = try DatabaseQueue(path: store + "-texts")
        defer { try? database.close() }
        try database.inDatabase { try $0.execute(sql: "ATTACH ? AS store", arguments: [store]) }
        let begun = Clock.seconds()
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE texts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL) STRICT;
                    INSERT INTO texts SELECT id, name, url FROM store.jobs;
                    """
            )
        }
        return Clock.seconds() - begun
    }
}
