import JobModel
import Vocabulary

/// The number of jobs in each state.
struct StateCounts {
    private var counts: [JobState: Int]

    init(_ counts: [JobState: Int]) { self.counts = counts }

    /// Adds new jobs in a state.
    mutating func add(_ count: Int, in state: JobState) { counts[state, default: 0] += count }

    /// Moves jobs from one state to another.
    mutating func move(_ count: Int, from before: JobState, to after: JobState) {
        guard before != after else { return }
        counts[before, default: 0] -= count
        counts[after, default: 0] += count
    }

    /// The states that have jobs, with their number.
    var present: [JobState: Int] { counts.filter { $0.value > 0 } }
}
