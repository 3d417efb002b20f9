/// Decides who may go in now and who waits, where so many may be in at the same time.
///
/// Nobody has all places: one is always left for somebody else, if there is more than one. Those who wait go in
/// turns (``FairLine``), so that a hundred of one delay another's by one at the most.
public struct FairTurns<Key: Hashable & Sendable>: Sendable {
    /// The number of something that waits.
    public typealias Ticket = Int

    private let width: Int
    private var isIn: [Key: Int] = [:]
    private var line = FairLine<Key, Ticket>()

    /// Creates turns at so many places, one at least.
    public init(width: Int) { self.width = max(1, width) }

    /// The number of tickets that wait.
    public var waiting: Int { line.count }

    /// Adds what somebody wants done.
    ///
    /// - Returns: the tickets that may go in now, which may be the one that came.
    public mutating func enter(_ ticket: Ticket, of key: Key) -> [Ticket] {
        line.append(ticket, of: key)
        return letIn()
    }

    /// Takes note that something of somebody's is done.
    ///
    /// - Returns: the tickets that may go in now.
    public mutating func leave(_ key: Key) -> [Ticket] {
        let left = isIn[key, default: 1] - 1
        isIn[key] = left > 0 ? left : nil
        return letIn()
    }

    /// Removes what nobody waits for any more.
    ///
    /// - Returns: whether it waited; false for what has gone in.
    public mutating func giveUp(_ ticket: Ticket, of key: Key) -> Bool {
        !line.remove(of: key) { $0 == ticket }.isEmpty
    }

    private mutating func letIn() -> [Ticket] {
        var tickets: [Ticket] = []
        let most = max(1, width - 1)
        while isIn.values.reduce(0, +) < width,
            let (key, ticket) = line.next(where: { isIn[$0, default: 0] < most })
        {
            isIn[key, default: 0] += 1
            tickets.append(ticket)
        }
        return tickets
    }
}
