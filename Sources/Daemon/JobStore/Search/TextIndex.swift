import GRDB
import JobModel

/// The names and URLs of all jobs, as people see them, in an index that is read from end to end for each search.
///
/// A row has many times as much in it. SQLite keeps the index in step with the rows, whatever is written, forgotten
/// or repaired, and adds a new job at its end, since its first column is the job's id: that costs a microsecond, and
/// on the disk the length of both texts and some 15 bytes. A million jobs are looked through in a tenth of a second.
enum TextIndex {
    /// The index, for a migration.
    static let creation = "CREATE INDEX jobs_by_text ON jobs (\(job), name, \(shownURL))"

    /// The job's id, spelled so that SQLite uses this index for no statement that only asks for ids.
    private static let job = "id + 0"

    /// The URL with what ``JobURL/masked`` masks, by SQLite's own functions.
    ///
    /// Only SQLite's own, because other programs could write no job otherwise. The index is used where a statement has
    /// these very words, so that they change with a migration only. Of a text that is no URL, more may be left
    /// than people see: what is found is always looked at in its row, by ``TextSearch``.
    static let shownURL: String = {
        let start = "(instr(url, '//') + 2)"
        let user = "substr(url, \(start), instr(url, '@') - \(start))"
        let colon = "instr(\(user), ':')"
        return """
            CASE WHEN instr(url, '@') = 0 OR \(user) = '' OR \(user) GLOB '*[/?]*' THEN url
            ELSE substr(url, 1, \(start) - 1) \
            || iif(\(colon) BETWEEN 1 AND length(\(user)) - 1, substr(\(user), 1, \(colon)), '') \
            || '***' || substr(url, instr(url, '@')) END
            """
    }()

    /// The query for the jobs of a range whose texts match a pattern.
    static let search = """
        SELECT id FROM jobs INDEXED BY jobs_by_text
        WHERE \(job) BETWEEN ?1 AND ?2 AND (name LIKE ?3 ESCAPE '\\' OR \(shownURL) LIKE ?3 ESCAPE '\\')
        """

    /// The query for the URLs that follow a job, in the order of their jobs, at most so many.
    static let urls = """
        SELECT id, \(shownURL) FROM jobs INDEXED BY jobs_by_text WHERE \(job) > ?1 ORDER BY \(job) LIMIT ?2
        """

    /// Returns the jobs of a range that contain a text.
    static func jobs(
        containing text: String,
        in ids: (first: Int64, last: Int64),
        _ database: Database
    ) throws -> JobBitmap {
        var jobs = JobBitmap()
        // No text has a NUL, and LIKE would take what is before it for the pattern.
        guard !text.utf8.contains(0) else { return jobs }
        let statement = try BoundStatement(search, database)
        try statement.bind(ids.first, at: 1)
        try statement.bind(ids.last, at: 2)
        try statement.bind(TextSearch.pattern(text), at: 3)
        try statement.forEachRow { jobs.insert($0.integer(0)) }
        return jobs
    }
}
