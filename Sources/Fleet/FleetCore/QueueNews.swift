/// News of jobs that wait in the queue since whoever put them there committed.
public struct QueueNews: Hashable, Sendable {
    /// The first of the jobs.
    public var job: Int64
    /// The turns that they have.
    public var turns: [Int]

    public init(job: Int64, turns: [Int]) { (self.job, self.turns) = (job, turns) }

    /// Reads what is announced, the job and its turns with blanks between them; nil if that tells of no jobs.
    public init?(_ text: String) {
        let numbers = text.split(separator: " ").map { Int64($0) }
        guard numbers.count > 1, let job = numbers[0] else { return nil }
        self.init(job: job, turns: numbers.dropFirst().compactMap { $0 }.map { Int($0) })
    }
}
