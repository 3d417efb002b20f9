/// A query for the numbers of the jobs that somebody means, with its values.
///
/// It asks for no more than is said, so that PostgreSQL chooses the index that fits.
struct JobQuery: Hashable, Sendable {
    /// The tables that such a job may be in, by what they are called in the query.
    private enum Table: String, CaseIterable { case queue = "q", paused = "p", results = "r" }

    /// The text; its only column is `job`.
    private(set) var sql = ""
    /// The values of its parameters, from $1 on.
    private(set) var values: [String?] = []
    private let selection: JobSelection

    private init(_ selection: JobSelection) { self.selection = selection }

    /// Returns a query for all the jobs, in no order.
    static func all(_ selection: JobSelection) -> JobQuery {
        var query = JobQuery(selection)
        var parts: [String] = []
        for table in query.tables {
            let name = table.rawValue
            let itself = "\(table) \(name)"
            let conditions = query.conditions(table) + query.conditions(job: "\(name).job", of: table)
            let needsItem = !selection.hosts.isEmpty || selection.batch != nil && table != .results
            let from = needsItem ? "\(itself) JOIN items i ON i.job = \(name).job" : itself
            parts.append("SELECT \(name).job FROM \(from) WHERE \(conditions.joined(separator: " AND "))")
        }
        query.sql = parts.isEmpty ? nothing : parts.joined(separator: " UNION ALL ")
        return query
    }

    /// Returns a query for the first so many of the jobs behind one, by ascending number.
    ///
    /// What may be in several tables is looked for by its items: else a table in which there are few would be read to
    /// its end for each page.
    static func page(_ selection: JobSelection, after last: Int64, atMost count: Int) -> JobQuery {
        var query = all(selection)
        let tables = query.tables
        guard let first = tables.first else { return query }
        var job = "\(first.rawValue).job"
        if tables.count > 1 {
            query = JobQuery(selection)
            job = "i.job"
            let joins = tables.map { " LEFT JOIN \($0) \($0.rawValue) ON \($0.rawValue).job = i.job" }
            var any: [String] = []
            for table in tables {
                let conditions = ["\(table.rawValue).job IS NOT NULL"] + query.conditions(table)
                any.append("(\(conditions.joined(separator: " AND ")))")
            }
            let conditions = query.conditions(job: job, of: nil) + ["(\(any.joined(separator: " OR ")))"]
            query.sql =
                "SELECT i.job FROM items i\(joins.joined()) WHERE \(conditions.joined(separator: " AND "))"
        }
        query.sql +=
            " AND \(job) > \(query.value("\(last)"))::bigint ORDER BY 1 LIMIT \(query.value("\(count)"))::bigint"
        return query
    }

    private static let nothing = "SELECT job FROM queue WHERE false"

    private var tables: [Table] {
        let meant = selection.meant
        return Table.allCases.filter { table in
            switch table {
            case .queue: meant.contains(.queued) || meant.contains(.held)
            case .paused: meant.contains(.paused)
            case .results: !selection.endings.isEmpty
            }
        }
    }

    /// Takes a value up, and returns the parameter for it.
    private mutating func value(_ text: String) -> String {
        values.append(text)
        return "$\(values.count)"
    }

    /// Returns what is asked of a row of a table alone.
    private mutating func conditions(_ table: Table) -> [String] {
        var conditions: [String] = []
        switch table {
        case .paused: conditions.append("true")
        case .queue: conditions.append(selection.isHeld.map { "q.node IS \($0 ? "NOT " : "")NULL" } ?? "true")
        case .results: conditions.append("r.state = ANY('\(ArrayText.of(selection.endings))'::smallint[])")
        }
        if !selection.codes.isEmpty {
            let codes = value(ArrayText.of(selection.codes))
            conditions.append("coalesce(left(r.error ->> 'code', 100), 'unknown') = ANY(\(codes)::text[])")
        }
        var slices = "SELECT unnest(s.jobs) FROM slices s"
        if !selection.nodes.isEmpty {
            let names = value(ArrayText.of(selection.nodes))
            let nodes = "(ARRAY(SELECT node FROM nodes WHERE name = ANY(\(names)::text[])))"
            conditions.append("\(table.rawValue).node = ANY\(nodes)")
            slices += " WHERE s.node = ANY\(nodes)"
        }
        // No index says what is held.
        if table == .queue, selection.isHeld == true {
            conditions.append("q.job = ANY(ARRAY(\(slices)))")
        }
        return conditions
    }

    /// Returns what is asked of a job itself, in a table, or in any.
    private mutating func conditions(job: String, of table: Table?) -> [String] {
        var conditions: [String] = []
        if !selection.jobs.isEmpty {
            conditions.append("\(job) = ANY(\(value(ArrayText.of(selection.jobs)))::bigint[])")
        }
        if let batch = selection.batch {
            conditions.append("\(table == .results ? "r" : "i").batch = \(value("\(batch)"))::bigint")
        }
        guard !selection.hosts.isEmpty else { return conditions }
        // As they are read out of URLs.
        let names = "unnest(\(value(ArrayText.of(selection.hosts)))::text[]) AS n(name)"
        let buckets = """
            (ARRAY(SELECT bucket(host, part) FROM (SELECT host('http://' || name) AS host FROM \(names)) AS h
                LEFT JOIN hosts USING (host) CROSS JOIN generate_series(0, coalesce(widest, 1) - 1) AS part))
            """
        if table == .queue || table == .paused {
            conditions.append("\(table == .queue ? "q" : "p").bucket = ANY\(buckets)")
        }
        conditions.append("i.bucket = ANY\(buckets)")
        conditions.append("host(i.url) = ANY(ARRAY(SELECT host('http://' || name) FROM \(names)))")
        return conditions
    }
}
