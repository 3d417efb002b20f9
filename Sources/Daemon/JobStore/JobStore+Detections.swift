import GRDB
import JobModel
import Vocabulary

extension JobStore {
    /// Returns the known result for a document's content: that of the oldest job with the same content,
    /// found by this engine with these parameters.
    ///
    /// - Parameter sha256: The hash of the content, in lower-case hex.
    public func detection(
        ofBytes sha256: String,
        by detector: DetectorIdentity
    ) throws(StoreFailure) -> (job: JobID, result: DetectionResult)? {
        do {
            return try engineReader.read { database in
                // With "IS NOT NULL", SQLite can use the partial index of rows that have a result.
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
                // Equal documents may be very many, and the first will do.
                return try statement.first { row in
                    let job = JobRecord.job(row)
                    return job.detection.flatMap { $0.isShareable ? (job.id, $0) : nil }
                }
            }
        } catch {
            throw StoreFailure(error)
        }
    }
}
