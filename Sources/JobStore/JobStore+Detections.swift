import GRDB
import JobCore

extension JobStore {
    /// What is known of a document's bytes: the result of the oldest job whose document was the same,
    /// looked at by this engine with these parameters.
    ///
    /// - Parameter sha256: In lower-case hex.
    /// - Throws: ``StoreFailure``
    public func detection(
        ofBytes sha256: String,
        by detector: DetectorIdentity
    ) throws(StoreFailure) -> (job: JobID, result: DetectionResult)? {
        do {
            return try engineReader.read { database in
                // "IS NOT NULL" is what lets SQLite use the index of the rows that have a result.
                let statement = try BoundStatement(
                    JobRecord.selection + """
                         WHERE jobs.sha256 = ? AND jobs.detection_outcome IS NOT NULL
                        AND jobs.detection_engine = ? AND jobs.detection_parameters = ? ORDER BY jobs.id
                        """,
                    database
                )
                for (index, text) in [sha256, detector.engine, detector.parameters].enumerated() {
                    try statement.bind(text, at: index + 1)
                }
                var found: (job: JobID, result: DetectionResult)?
                try statement.forEachRow { row in
                    guard found == nil else { return }
                    let job = JobRecord.job(row)
                    if let result = job.detection, result.isShareable { found = (job.id, result) }
                }
                return found
            }
        } catch {
            throw StoreFailure(error)
        }
    }
}
