import GRDB
import JobCore

extension JobStore {
    /// How many faces a row tells of.
    private static let faceCount = """
        CASE WHEN detection_outcome = 'counted' AND detection_faces <> '' \
        THEN length(detection_faces) - length(replace(detection_faces, ';', '')) + 1 ELSE 0 END
        """

    /// All documents that a filter lets through, in a few bytes each.
    ///
    /// It reads a row for each job, so it shares the reader of those who search.
    public func documentIndex(
        _ filter: JobFilter,
        facesAtLeast least: Int64?,
        order: DocumentIndex.Order
    ) async throws -> DocumentIndex {
        try await searchReader.read { database in
            guard let ids = try Self.ids(of: filter.batch, database) else { return DocumentIndex() }
            var conditions = ["path IS NOT NULL", Self.visible, "id BETWEEN ? AND ?"]
            var values = [ids.lowerBound, ids.upperBound].map(\.databaseValue)
            if let state = filter.state {
                conditions.append("state = ?")
                values.append(state.rawValue.databaseValue)
            }
            if let batch = filter.batch {
                conditions.append("batch = ?")
                values.append(batch.rawValue.databaseValue)
            }
            if let text = filter.text {
                conditions.append(TextSearch.condition)
                values += Array(repeating: TextSearch.pattern(text).databaseValue, count: 2)
            }
            if let least {
                conditions.append("\(Self.faceCount) >= ?")
                values.append(least.databaseValue)
            }
            let statement = try BoundStatement(
                """
                SELECT id, detection_outcome, detection_width, detection_height, \(Self.faceCount) AS faces
                FROM jobs WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order.terms)
                """,
                database
            )
            for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
            var index = DocumentIndex()
            try statement.forEachRow { row in
                index.append(
                    DocumentIndex.Entry(
                        job: row.integer(0),
                        outcome: row.text(1).flatMap(DetectionOutcome.init(rawValue:)),
                        width: row.integer(2),
                        height: row.integer(3),
                        faces: row.integer(4)
                    )
                )
            }
            return index
        }
    }
}

extension DocumentIndex.Order {
    /// What rows are ordered by.
    fileprivate var terms: String {
        switch self {
        case .newest: "id DESC"
        case .oldest: "id"
        case .name: "name COLLATE NOCASE, id"
        case .faces: "faces DESC, id DESC"
        }
    }
}
