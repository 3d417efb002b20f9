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
        DELETE FROM listed l WHERE place IN (SELECT place FROM listed JOIN results ON document = address
            UNION ALL SELECT place FROM listed JOIN contents ON document = address);
        CREATE INDEX IF NOT EXISTS listed_by_place ON listed (place)
        """

    /// $1 the last place seen, $2 how many: what is left, in the order of the list.
    static let page = Statement(
        name: "listed_page",
        sql: "SELECT DISTINCT place, line FROM listed WHERE place > $1 ORDER BY place LIMIT $2"
    )
}
