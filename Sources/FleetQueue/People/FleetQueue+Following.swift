/// Following the record.
extension FleetQueue {
    /// A place in the record, behind which nothing comes later that belongs before it.
    public struct Cursor: Hashable, Sendable {
        /// The beginning.
        public static let start = Cursor(transaction: 0, job: 0)

        /// The transaction that has written the last record seen.
        public var transaction: UInt64
        /// The job of that record.
        public var job: Int64

        init(transaction: UInt64, job: Int64) { (self.transaction, self.job) = (transaction, job) }

        /// Reads what ``text`` says, or 0 for the beginning; nil if it is neither.
        public init?(_ text: String) {
            if text == "0" {
                self = .start
                return
            }
            let words = text.split(separator: "-", omittingEmptySubsequences: false)
            guard words.count == 2, let transaction = UInt64(words[0]), let job = Int64(words[1]), job > 0,
                transaction > 0
            else { return nil }
            self.init(transaction: transaction, job: job)
        }

        /// The cursor as text.
        public var text: String { self == .start ? "0" : "\(transaction)-\(job)" }
    }

    /// The form that records are wanted in.
    public enum RecordForm: Sendable {
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
    /// - Throws: ``FleetQueueError``
    public func records(
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
            return (Cursor(transaction: transaction, job: row.integer(1) ?? 0), row.text(2) ?? "{}")
        }
    }

    /// Returns whether a cursor is of another database: this one can't have given it.
    ///
    /// - Throws: ``FleetQueueError``
    public func isForeign(_ cursor: Cursor) throws(FleetQueueError) -> Bool {
        try connection.run([Call(BatchStatements.isForeign, ["\(cursor.transaction)"])])[0].first?.flag(0)
            ?? false
    }
}
