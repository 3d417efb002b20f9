import Vocabulary

/// The statements by which people compare documents with the record.
enum DocumentStatements {
    /// The table of documents that somebody asks about, each with the places in the list that it may stand for; only
    /// this connection has it.
    static let listed = """
        CREATE TEMPORARY TABLE IF NOT EXISTS listed (place bigint, line text, address text);
        TRUNCATE listed
        """

    static let copy = "COPY listed (place, line, address) FROM STDIN"

    /// Leaves out what a record names, or is known from batches that are forgotten: no index helps, so all at once.
    static let dropRecorded = """
        ANALYZE listed;
        DELETE FROM listed l WHERE place IN (SELECT place FROM listed JOIN results ON \(anyNode) = address
            UNION ALL SELECT place FROM listed JOIN contents ON \(anyNode) = address);
        CREATE INDEX IF NOT EXISTS listed_by_place ON listed (place)
        """

    /// An address without the node, where documents stay with their nodes: that may have had another name, and a file that
    /// is taken for a record's too often harms nobody.
    private static let anyNode = "regexp_replace(document, '^file://[^/]*', 'file:')"

    /// How many are left.
    static let count = Statement(name: "listed_count", sql: "SELECT count(DISTINCT place) FROM listed")

    /// $1 the last place seen, $2 how many: what is left, in the order of the list.
    static let page = Statement(
        name: "listed_page",
        sql: "SELECT DISTINCT ON (place) place, line FROM listed WHERE place > $1 ORDER BY place LIMIT $2"
    )

    /// Returns what stands for a line of the list, a path or an address, in records; nil if nothing can.
    static func addresses(of line: String) -> [String]? {
        if line.hasPrefix("file://") {
            let path = line.dropFirst(7).drop { $0 != "/" }
            return path.isEmpty ? nil : ["file:\(path)"]
        }
        if line.contains("://") { return [line] }
        // A record has the path that its daemon has made of its directory's.
        let names = line.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard line.hasPrefix("/"), names.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
        return [line, "file:" + PercentEncoding.encode(line, keeping: "/")]
    }
}
