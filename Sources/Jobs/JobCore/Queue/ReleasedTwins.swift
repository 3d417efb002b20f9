import JobModel
import Vocabulary

/// The documents that waited for the result of another with the same content, which has come.
///
/// They are next, in the order in which the results came. Those of one content stay together: where the next
/// of them has to be looked at, all others wait again, and that costs the same however many they are.
struct ReleasedTwins: Sendable {
    private struct Group: Sendable {
        var mark: DetectionGate.Mark
        var jobs: WaitingLine<JobID>
    }

    /// The group that is next; it may have none left.
    private var first: Group?
    private var others = WaitingLine<Group>()

    /// The mark of the next job's content; nil if there is none.
    var mark: DetectionGate.Mark? {
        mutating get {
            while first?.jobs.isEmpty ?? true {
                guard let next = others.popFirst() else {
                    first = nil
                    return nil
                }
                first = next
            }
            return first?.mark
        }
    }

    /// The next few jobs of the first content.
    func following(_ count: Int) -> ArraySlice<JobID> { first?.jobs.prefix(count) ?? [] }

    /// Adds jobs of one content behind the others.
    mutating func append(_ jobs: WaitingLine<JobID>, of mark: DetectionGate.Mark) {
        if !jobs.isEmpty { others.append(Group(mark: mark, jobs: jobs)) }
    }

    /// Removes and returns the next job of the first content; nil if it has none left.
    mutating func popFirst() -> JobID? { first?.jobs.popFirst() }

    /// Removes and returns all jobs of the first content.
    mutating func popGroup() -> WaitingLine<JobID> {
        defer { first = nil }
        return first?.jobs ?? WaitingLine()
    }
}
