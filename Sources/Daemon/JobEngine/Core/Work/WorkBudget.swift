/// The work that one turn of the engine does for all requests that concern very many jobs: accepting,
/// steering or forgetting them.
///
/// Everybody else waits until a turn is over, so it does as much however many ask: they share it in turns.
struct WorkBudget: Hashable, Sendable {
    /// The rest of the budget, in jobs.
    private(set) var left: Int
    /// The most that one request gets at once.
    let share: Int
    /// True if several requests share it.
    let isShared: Bool

    /// The parts in which it is shared: a small request waits for a quarter of as many turns as there are large ones.
    private static let parts = 4
    /// The part of it that is left where somebody waits for the turn to end; so nobody waits for two whole ones.
    private static let partOfAwaited = 8

    /// Creates the budget of a turn.
    ///
    /// - Parameters:
    ///   - jobs: The jobs of a whole turn.
    ///   - requests: The number of requests that share it.
    ///   - isAwaited: Whether somebody who asked for little waits for the turn to end.
    init(jobs: Int, sharedBy requests: Int, isAwaited: Bool = false) {
        let jobs = isAwaited ? max(1, jobs / Self.partOfAwaited) : max(1, jobs)
        left = jobs
        isShared = requests > 1
        share = max(1, jobs / min(max(1, requests), Self.parts))
    }

    /// True if nothing is left, so that further requests wait for the next turn.
    var isSpent: Bool { left <= 0 }

    /// The jobs that a turn handles of work that nobody has asked for: what is left of its budget, and a little in any
    /// case.
    func rest(of jobs: Int) -> Int { max(left, jobs / Self.partOfAwaited, 1) }

    /// Grants a request some of its jobs, each of which costs as much as `cost` ordinary ones; returns the number
    /// that it may handle now.
    mutating func grant(_ wanted: Int, costing cost: Int = 1) -> Int {
        let count = min(wanted, max(1, min(share, left) / cost))
        // A request without jobs costs something as well.
        left -= max(1, count * cost)
        return count
    }

    /// Spends the cost of other work, in jobs.
    mutating func spend(_ cost: Int) { left -= cost }
}
