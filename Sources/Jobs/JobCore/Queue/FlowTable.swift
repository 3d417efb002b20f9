import JobModel

/// The flows with jobs in a queue, and whose turn it is among those of one priority.
///
/// This is start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996). Each flow has a start, in units
/// of what is shared, such as bytes: the flow with the lowest is next, and being served moves it on by the
/// cost divided by its weight. A new flow starts where the one served last did, so that it is neither behind what others have
/// still to come, nor ahead because it has had nothing yet.
struct FlowTable: Sendable {
    /// A flow's place in the order: higher priority goes first, then the lower start, then the older flow.
    struct Turn: Comparable, Sendable {
        var priority: Int32
        var start: Double
        var flow: UInt32

        static func < (lhs: Turn, rhs: Turn) -> Bool {
            // In 64 bits, since a damaged store may hold any priority, and negating the lowest would trap.
            (-Int64(lhs.priority), lhs.start, lhs.flow) < (-Int64(rhs.priority), rhs.start, rhs.flow)
        }
    }

    private struct Key: Hashable {
        var flow: Flow
        var priority: Int32
    }

    private struct Member {
        var key: Key
        var start: Double
        /// Its share as a multiple of that of a flow of weight 1.
        var weight = 1.0
        /// The number of jobs, waiting or being served.
        var jobs = 0
    }

    private var members: [UInt32: Member] = [:]
    private var numbers: [Key: UInt32] = [:]
    /// For each priority, the start of the flow that was served last.
    private var clocks: [Int32: Double] = [:]
    /// The flow that was joined last, since jobs come in long rows of one flow.
    private var latest: (key: Key, number: UInt32)?
    private var lastNumber: UInt32 = 0
    /// True if jobs with evictable documents wait because there is no room.
    var holdsEvictable = false

    /// The number of flows that have jobs.
    var count: Int { members.count }

    /// Adds a job, or more than one, to its flow and returns the flow's number.
    ///
    /// The weight of a flow is that of the job that has joined it last.
    mutating func join(_ flow: Flow, priority: Int32, weight: Int = 1, count: Int = 1) -> UInt32 {
        let key = Key(flow: flow, priority: priority)
        let number = number(of: key)
        members[number]?.jobs += count
        members[number]?.weight = Double(max(1, weight))
        return number
    }

    /// Removes a job from its flow, which is forgotten with its last job.
    mutating func leave(_ number: UInt32) {
        guard let jobs = members[number]?.jobs else { return }
        guard jobs == 1 else {
            members[number]?.jobs = jobs - 1
            return
        }
        if let key = members.removeValue(forKey: number)?.key { numbers[key] = nil }
        if latest?.number == number { latest = nil }
        if members.isEmpty { clocks = [:] }
    }

    /// Returns a flow's turn as it is now; nil for a flow without jobs.
    func turn(of number: UInt32) -> Turn? {
        members[number].map { Turn(priority: $0.key.priority, start: $0.start, flow: number) }
    }

    /// Returns how much more a flow has been given than another of the same priority, by their weights; 0 if
    /// that can't be said.
    func lead(of number: UInt32, before other: UInt32) -> Double {
        guard number != other, let member = members[number], let behind = members[other],
            member.key.priority == behind.key.priority
        else { return 0 }
        return member.start - behind.start
    }

    /// Returns whether no job of a flow may be begun now.
    func isHeld(_ number: UInt32) -> Bool {
        guard holdsEvictable, case .evictable? = members[number]?.key.flow else { return false }
        return true
    }

    /// True if any flow is held.
    var hasHeld: Bool { holdsEvictable && members.keys.contains { isHeld($0) } }

    /// Notes that a job of a flow is being served.
    mutating func begin(_ number: UInt32) {
        guard let member = members[number] else { return }
        clocks[member.key.priority] = max(clocks[member.key.priority] ?? 0, member.start)
    }

    /// Moves a flow on by what it has been given.
    mutating func charge(_ number: UInt32, _ cost: Double) {
        guard let weight = members[number]?.weight else { return }
        members[number]?.start += cost / weight
    }

    private mutating func number(of key: Key) -> UInt32 {
        if let latest, latest.key == key { return latest.number }
        let number: UInt32
        if let known = numbers[key] {
            number = known
        } else {
            // Numbers are not used again while heaps may have entries of flows that are gone.
            lastNumber &+= 1
            number = lastNumber
            numbers[key] = number
            members[number] = Member(key: key, start: clocks[key.priority] ?? 0)
        }
        latest = (key, number)
        return number
    }
}
