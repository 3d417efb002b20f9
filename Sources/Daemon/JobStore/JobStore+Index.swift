import GRDB
import JobModel
import Vocabulary

extension JobStore {
    /// Returns the index of the documents whose jobs match a filter, or its first `limit` documents.
    ///
    /// The newest of all are read by their index, which takes a millisecond: a page that opens has something
    /// to show before it has the rest. Anything else reads a row of every job that may match, so it shares the
    /// reader that searches use.
    ///
    /// - Parameter hasTimes: True if entries have the times when documents came.
    public func documentIndex(
        _ filter: JobFilter,
        order: DocumentIndex.Order,
        limit: Int?,
        hasTimes: Bool = false
    ) async throws -> DocumentIndex {
        if let limit, order == .newest, filter == JobFilter() {
            let newest = try await database.read { try Self.newestDocuments(limit, hasTimes: hasTimes, $0) }
            // Where there are fewer, damaged rows without a number may follow.
            if newest.count >= limit { return newest }
        }
        return try await searchReader.read { database in
            guard let ids = try Self.ids(of: filter.batch, database) else {
                return DocumentIndex(hasTimes: hasTimes)
            }
            var conditions = try Self.conditions(filter, in: ids, database)
            conditions.add("path IS NOT NULL")
            return try Self.documents(conditions, order, limit: limit, hasTimes: hasTimes, database)
        }
    }

    /// Returns the newest documents of all, as far as the numbers of their endings are known.
    private static func newestDocuments(
        _ limit: Int,
        hasTimes: Bool,
        _ database: Database
    ) throws -> DocumentIndex {
        var conditions = JobConditions(JobFilter(), usesIndexes: false)
        conditions.add("path IS NOT NULL AND ended_stored IS NOT NULL AND +id >= 1")
        return try documents(conditions, .newest, limit: limit, hasTimes: hasTimes, database)
    }

    private static func documents(
        _ conditions: JobConditions,
        _ order: DocumentIndex.Order,
        limit: Int?,
        hasTimes: Bool,
        _ database: Database
    ) throws -> DocumentIndex {
        let statement = try BoundStatement(
            """
            SELECT id, detection_outcome, detection_width, detection_height,
                CASE WHEN detection_outcome = 'counted' THEN \(FacesText.count) ELSE 0 END AS faces,
                meta IS NOT NULL, \(hasTimes ? received : "NULL")
            FROM jobs WHERE \(conditions.sql) ORDER BY \(order.terms)
            LIMIT ?
            """,
            database
        )
        let next = try conditions.bind(to: statement)
        try statement.bind(Int64(limit ?? -1), at: next)
        var index = DocumentIndex(capacity: limit ?? 0, hasTimes: hasTimes)
        try statement.forEachRow { row in
            index.append(
                DocumentIndex.Entry(
                    job: row.integer(0),
                    outcome: row.text(1).flatMap(DetectionOutcome.init(rawValue:)),
                    width: row.integer(2),
                    height: row.integer(3),
                    faces: row.integer(4),
                    hasMeta: row.integer(5) != 0,
                    time: hasTimes ? Timestamp(stored: row.integer(6)) : nil
                )
            )
        }
        return index
    }

    /// The microseconds at which a document's answer came: the second line of ``ServerResponse/text``, behind a
    /// status of three digits.
    ///
    /// A document of whose answer nothing is known takes the time when its batch was added. When its job ended says
    /// less: looking once more ends a job anew.
    private static let received = """
        coalesce(CAST(substr(response, 5, 20) AS INTEGER),
            (SELECT created_at FROM batches WHERE batches.id = jobs.batch))
        """
}

extension DocumentIndex.Order {
    /// The terms by which rows are ordered.
    ///
    /// Documents aren't stored in the order of their jobs' ids, so the number of that ending says which is
    /// newer; the id only decides between damaged rows without such a number.
    fileprivate var terms: String {
        switch self {
        case .newest: "ended_stored DESC, id DESC"
        case .oldest: "ended_stored, id"
        case .name: "name COLLATE NOCASE, id"
        case .faces: "faces DESC, ended_stored DESC, id DESC"
        }
    }
}
