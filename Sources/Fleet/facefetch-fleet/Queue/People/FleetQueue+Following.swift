import FleetCore

/// Following the record.
extension FleetQueue {
    /// A place in the record.
    typealias Cursor = RecordCursor

    /// The form that records are wanted in.
    enum RecordForm: Sendable {
        /// As in the view `records`.
        case record
        /// As a daemon's API has its jobs.
        case job
    }

    /// Returns up to a thousand records behind a cursor as JSON, each with the cursor behind it.
    ///
    /// What is written while another transaction is in progress comes once that has ended: so whoever goes on from
    /// the last cursor misses nothing. Of jobs that are tried again, the new record comes as well.
    /// - Parameters:
    ///   - batch: A batch that is meant alone.
    ///   - isLast: True if nobody goes on from the last cursor: then nothing has to wait.
    func records(
        after cursor: Cursor,
        of batch: Int64? = nil,
        as form: RecordForm = .record,
        isLast: Bool = false,
        atMost count: Int = 1000
    ) throws(FleetQueueError) -> [(cursor: Cursor, json: String)] {
        let values = [
            "\(cursor.transaction)", "\(cursor.job)", batch.map { "\($0)" }, "\(count)", isLast ? "t" : "f",
        ]
        let statement = form == .record ? BatchStatements.follow : BatchStatements.export
        return try connection.run([Call(statement, values)])[0].map { row in
            let transaction = row.text(0).flatMap { UInt64($0) } ?? 0
            let cursor = Cursor(fleet: row.text(3) ?? "", transaction: transaction, job: row.integer(1) ?? 0)
            return (cursor, row.text(2) ?? "{}")
        }
    }

    /// Judges a cursor that this database, or another, has given.
    func verdict(on cursor: Cursor) throws(FleetQueueError) -> Cursor.Verdict {
        let rows = try connection.run([Call(LifeStatements.all)])[0]
        let lives = rows.map { row in
            FleetLife(id: row.text(0) ?? "", firstTransaction: row.text(1).flatMap { UInt64($0) })
        }
        return cursor.verdict(lives: lives, next: rows.first?.text(2).flatMap { UInt64($0) } ?? 0)
    }
}
