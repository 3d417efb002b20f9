import SourceCore

/// The rows of a list that come after those that are being kept, read meanwhile.
///
/// Reading takes a processor's time in the page reader, and keeping takes it here: in turns, a list of a
/// million rows takes nearly twice as long.
struct RowsAhead {
    /// The plan of the rows that are read.
    private let plan: PagePlan
    /// The list's SHA-256.
    private let list: String
    private let task: Task<PageVisit.Outcome, Never>

    init(_ plan: PagePlan, of list: OpenList, from place: CompressedPlace?, by visit: ListVisit) {
        (self.plan, self.list) = (plan, list.sha256)
        task = Task { await visit.rows(plan, list.response, from: place) }
    }

    /// Returns whether these are the rows that are read.
    func isOf(_ plan: PagePlan, _ list: OpenList) -> Bool {
        self.plan == plan && self.list == list.sha256
    }

    /// Waits until they are read; the cancellation of the current task gives them up.
    var outcome: @Sendable () async -> PageVisit.Outcome {
        { [task] in
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Gives them up.
    func cancel() { task.cancel() }
}
