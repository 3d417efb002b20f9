import ControlAPI
import Vocabulary

/// Formats batches as a table.
enum BatchTable {
    /// Returns the table for `batches`.
    static func table(_ batches: [BatchJSON]) -> Table {
        var table = Table(columns: [
            .init(title: "BATCH"), .init(title: "ADDED"), .init(title: "FILES", isNumeric: true),
            .init(title: "DONE", isNumeric: true), .init(title: "FAILED", isNumeric: true),
            .init(title: "CANCELLED", isNumeric: true), .init(title: "LEFT", isNumeric: true),
            .init(title: "OF THOSE", isFlexible: true),
        ])
        table.rows = batches.map { batch in
            [
                "\(BatchID(batch.id))", LocalTime.full(batch.createdAt), Quantities.grouped(batch.jobCount),
                number(.done, of: batch), number(.failed, of: batch), number(.cancelled, of: batch),
                Quantities.grouped(left(batch)), states(batch),
            ]
        }
        return table
    }

    /// The number of jobs that have not ended.
    static func left(_ batch: BatchJSON) -> Int {
        batch.states.reduce(0) { $0 + ($1.key.known?.isFinal == true ? 0 : $1.value) }
    }

    private static func number(_ state: JobState, of batch: BatchJSON) -> String {
        Quantities.grouped(batch.states[.known(state)] ?? 0)
    }

    /// Returns the states of the jobs that have not ended; empty if all have.
    private static func states(_ batch: BatchJSON) -> String {
        left(batch) == 0 ? "" : StatusPage.jobs(batch.states.filter { $0.key.known?.isFinal != true })
    }
}
