/// The jobs that somebody means, in whatever batch they are: those that meet all that is said, and of each list any.
struct JobSelection: Hashable, Sendable {
    /// A state of a job of the fleet.
    enum State: String, CaseIterable, Comparable, Sendable {
        /// It waits in the queue.
        case queued
        /// A node has it.
        case held
        /// A person has paused it.
        case paused
        /// It has ended so.
        case done, failed, cancelled

        /// The number that records have for it; nil for one that hasn't ended.
        var number: Int? {
            switch self {
            case .queued, .held, .paused: nil
            case .done: 1
            case .failed: 2
            case .cancelled: 3
            }
        }

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    /// The numbers of jobs; none for all.
    var jobs: [Int64] = []
    /// The number of a batch.
    var batch: Int64?
    /// The hosts that they are fetched from.
    var hosts: [String] = []
    /// The names of nodes that hold them, or have ended them.
    var nodes: [String] = []
    /// The codes of the reasons why they failed.
    var codes: [String] = []
    /// The states that they are in.
    var states: Set<State>

    /// All jobs in these states.
    init(_ states: Set<State> = Set(State.allCases)) { self.states = states }

    /// The states in which there can be such jobs: only what has failed has a code, and nobody has what waits.
    var meant: Set<State> {
        var meant = states
        if !codes.isEmpty { meant.formIntersection([.failed]) }
        if !nodes.isEmpty { meant.subtract([.queued, .paused]) }
        return meant
    }

    /// Returns those of the jobs that are in certain states.
    func among(_ states: Set<State>) -> JobSelection {
        var selection = self
        selection.states.formIntersection(states)
        return selection
    }

    /// Whether jobs in `queue` are meant that a node has, or that nobody has; nil if both are.
    var isHeld: Bool? { meant.isSuperset(of: [.queued, .held]) ? nil : meant.contains(.held) }

    /// The numbers of the states in records that are meant.
    var endings: [Int] { meant.compactMap(\.number).sorted() }
}
