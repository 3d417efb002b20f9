/// The treatment of a job whose nodes have died with it.
///
/// A node dies with many jobs, of which one may be to blame. So those that were under way each time are looked
/// for in ever smaller groups, the last of one, all beside other work. Only what has ended a node so goes alone, and
/// only with what was alone is anything proven.
public enum Poison: Hashable, Sendable {
    /// It goes with others.
    case none
    /// It goes beside other work, in a slice of no more than so many of its kind.
    case grouped(atMost: Int)
    /// It goes alone, so that it takes nothing with it, and it is known who is to blame.
    case alone
    /// It has failed.
    case proven

    /// From so much blame on a job goes in a group.
    public static let suspectFrom = 3
    /// From so much blame on a job goes alone.
    public static let aloneFrom = 6
    /// From so much blame on a job has failed: two nodes have ended while they had it alone.
    public static let provenFrom = 8
    /// The time in which one blame is forgiven.
    public static let forgiveness = Duration.seconds(3600)

    /// Judges a job by its blame.
    public init(blame: Int) {
        switch blame {
        case ..<Self.suspectFrom: self = .none
        case Self.suspectFrom: self = .grouped(atMost: 100)
        case Self.suspectFrom + 1: self = .grouped(atMost: 10)
        case ..<Self.aloneFrom: self = .grouped(atMost: 1)
        case ..<Self.provenFrom: self = .alone
        default: self = .proven
        }
    }

    /// Returns the jobs that are blamed for the end of a node, of those that it held.
    ///
    /// Jobs that waited for their next try were not under way. Where suspects were, the others are left out:
    /// who was rightly suspected is found sooner, and who was left out wrongly is met again.
    /// - Parameter held: The blame of each job, and whether it can have been under way.
    public static func blamed<Job: Hashable>(of held: [Job: (blame: Int, isUnderWay: Bool)]) -> Set<Job> {
        let begun = held.filter { $0.value.isUnderWay }
        let suspects = begun.filter { $0.value.blame >= suspectFrom }
        return Set((suspects.isEmpty ? begun : suspects).keys)
    }
}
