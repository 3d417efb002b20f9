import Foundation
import GRDB
import Glibc

/// A text that one name among very many contains: how long it takes to find it, beside a scan of the jobs, and what
/// the index of texts costs by which the daemon finds it.
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
        var (searches, known, scan): (Times, Times, Times) = (Times(), Times(), Times())
        var index = (bytes: [Double](), seconds: [Double]())
        try workshop.withDirectory("ours") { directory in
            let store = directory + "/state/facefetch.sqlite"
            try MadeStore(state: .done).make(in: directory + "/state", jobs: plan.million)
            for _ in 0..<plan.runs {
                try measureDaemon(directory, &searches, &known)
                try measureScan(of: store, &scan)
            }
            index = try makeIndex(in: store)
        }
        let jobs = "\(plan.million) jobs"
        return rows("\(jobs): a text in one name", searches, limit: Self.noticed)
            + rows("\(jobs): a known URL that is left out", known, limit: nil)
            + rows("\(jobs): the text by a scan of the jobs", scan, limit: nil)
            + [
                Row(
                    "\(jobs): the index of texts, by job",
                    unit: "bytes",
                    values: index.bytes,
                    limit: nil,
                    aim: nil
                ),
                Row("\(jobs): making it", unit: "s", values: index.seconds, limit: nil, aim: nil),
            ]
    }

    private func rows(_ words: String, _ times: Times, limit: Double?) -> [Row] {
        [
            Row("\(words), first", unit: "ms", values: times.first, limit: limit, aim: nil),
            Row("\(words), later", unit: "ms", values: times.later, limit: limit, aim: nil),
        ]
    }

    // MARK: The daemon

    /// The first search is that of somebody who has just opened the list, or who asks by the command at once.
    private func measureDaemon(_ directory: String, _ searches: inout Times, _ known: inout Times) throws {
        let daemon = try Facefetch(in: directory, concurrency: 1)
        defer { daemon.kill(SIGKILL) }
        try daemon.untilQuiet()
        let connection = try daemon.connection()
        for number in 0...Self.later {
            let name = Self.name(number, of: plan.million)
            let begun = Clock.seconds()
            let page = try connection.get("/v1/jobs?q=\(name)&limit=50")
            searches.add((Clock.seconds() - begun) * 1000, isFirst: number == 0)
            let answer = String(decoding: page, as: UTF8.self)
            guard answer.contains("\"\(name)\""), let url = Self.url(in: answer) else {
                throw BenchError.failed("\(name) was not found")
            }
            let asked = Clock.seconds()
            let body = "{\"items\":[{\"url\":\"\(url)\"}],\"skip_known\":true}"
            try connection.post("/v1/batches", body, status: "200")
            known.add((Clock.seconds() - asked) * 1000, isFirst: number == 0)
        }
    }

    /// Finds the first job's URL in a page, as it is written there.
    private static func url(in page: String) -> Substring? {
        guard let key = page.firstRange(of: "\"url\":") else { return nil }
        return page[key.upperBound...].split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
            .dropFirst().first
    }

    /// A name in the middle, where no search begins, which no other name contains.
    private static func name(_ number: Int, of count: Int) -> String { "\(count / 2 + 7 * number).jpg" }

    // MARK: SQLite alone

    private static let inJobs = """
        SELECT id FROM jobs NOT INDEXED
        WHERE name LIKE ? OR CASE WHEN instr(url, '@') = 0 THEN url ELSE '' END LIKE ? LIMIT 51
        """

    private func measureScan(of store: String, _ times: inout Times) throws {
        let database = try DatabaseQueue(path: store)
        defer { try? database.close() }
        for number in 0...Self.later {
            let pattern = "%/" + Self.name(number, of: plan.million) + "%"
            let begun = Clock.seconds()
            let found = try database.read { database in
                try Int64.fetchAll(database, sql: Self.inJobs, arguments: [pattern, pattern])
            }
            times.add((Clock.seconds() - begun) * 1000, isFirst: number == 0)
            guard found.count == 1 else {
                throw BenchError.failed("\(pattern) was found \(found.count) times")
            }
        }
    }

    /// Makes the index of texts anew; returns the bytes that it takes for each job, and the seconds.
    private func makeIndex(in store: String) throws -> (bytes: [Double], seconds: [Double]) {
        let database = try DatabaseQueue(path: store)
        defer { try? database.close() }
        return try database.write { database in
            func count(_ pragma: String) throws -> Int {
                try Int.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0
            }
            let sql = try String.fetchOne(
                database,
                sql: "SELECT sql FROM sqlite_schema WHERE name = 'jobs_by_text'"
            )
            guard let sql else { throw BenchError.failed("the store has no index of texts") }
            let free = try count("freelist_count")
            try database.execute(sql: "DROP INDEX jobs_by_text")
            let bytes = try (count("freelist_count") - free) * count("page_size")
            let begun = Clock.seconds()
            try database.execute(sql: sql)
            return ([Double(bytes) / Double(plan.million)], [Clock.seconds() - begun])
        }
    }
}
