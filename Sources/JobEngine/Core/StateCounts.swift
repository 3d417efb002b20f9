import JobCore

/// How many jobs stand where.
struct StateCounts {
    private var counts: [JobState: Int]

    init(_ counts: [JobState: Int]) { self.counts = counts }

    /// So many jobs begin in a state.
    mutating func add(_ count: Int, in state: JobState) { counts[state, default: 0] += count }

    /// A job comes from one state to another.
    mutating func move(from before: JobState, to after: JobState) {
        guard before != after else { return }
        counts[before, default: 0] -= 1
        counts[after, default: 0] += 1
    }

    /// States that have jobs, with how many.
    var present: [JobState: Int] { counts.filter { $0.value > 0 } }
}
