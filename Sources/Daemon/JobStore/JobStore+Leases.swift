import GRDB
import JobModel
import Vocabulary

/// The leases of batches.
extension JobStore {
    /// Returns how long each renewal of a batch's lease is good for, in seconds; nil if it has none.
    public func lease(of batch: BatchID) throws(StoreFailure) -> Int? {
        do {
            return try engineReader.read { database in
                try BatchRecord.all("WHERE id = ? AND is_visible", [batch.rawValue], database).first?.lease
                    .map(Int.init)
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Reads the leases of the batches with jobs that haven't ended, as the numbers of their jobs say.
    ///
    /// There may be very many others.
    static func unfinishedLeases(_ database: Database) throws -> [(batch: BatchID, seconds: Int)] {
        let ended = JobState.allCases.filter(\.isFinal).map { "state <> '\($0.rawValue)'" }
        let records = try BatchRecord.all(
            """
            WHERE lease IS NOT NULL AND EXISTS (SELECT 1 FROM job_counts
                WHERE batch = batches.id AND number > 0 AND \(ended.joined(separator: " AND ")))
            ORDER BY id
            """,
            [],
            database
        )
        return records.compactMap { record in
            record.lease.map { (BatchID(rawValue: record.id), Int($0)) }
        }
    }
}
