/// Decides which document is looked at next: what people look at first, then by higher priority, then the
/// flow that has had the fewest looked at, then in order of arrival; as many at once as there are detectors,
/// and none while the gate is held.
///
/// Documents with the same content are never looked at at the same time: the others wait, since the
/// result of the first may do for them too.
///
/// A document can be marked to be looked at alone. If the daemon crashed while several documents were
/// being looked at, that shows which of them is to blame.
public struct DetectionGate: Sendable {
    /// A hash of a document's content: equal for equal documents.
    ///
    /// Different documents may share one by chance; they then wait for each other needlessly.
    public typealias Mark = UInt64

    /// Whether documents are looked at as they arrive; false while the gate is held.
    public private(set) var isOpen: Bool
    /// The number of documents that may be looked at at once.
    public private(set) var capacity: Int
    /// The line; entries of documents that have been removed or moved are skipped.
    private var line = FairHeap<Waiting>()
    private var members: [JobID: Member] = [:]
    private var active: [JobID: Member] = [:]
    /// Who shares the detectors, by documents.
    private var flows = FlowTable()
    private var lastArrival: UInt64 = 0
    /// The jobs that wait for the result of a document with the same mark, in order.
    private var twins: [Mark: [JobID]] = [:]
    /// The jobs that go first, the next one last: they waited for a result that has come.
    private var released: [JobID] = []
    /// The jobs whose documents must be looked at alone.
    private var loners: Set<JobID> = []
    /// The jobs that someone looks at, here or not.
    private var interests: [JobID: Interest] = [:]
    /// Those of them that wait, which are in the line as well.
    private var attended = PriorityHeap<Attended>()

    private struct Attended: Comparable {
        var interest: Interest
        var priority: Int32
        var job: JobID

        static func < (lhs: Attended, rhs: Attended) -> Bool {
            (lhs.interest, -Int64(lhs.priority), lhs.job) < (rhs.interest, -Int64(rhs.priority), rhs.job)
        }
    }

    /// A document's place in the line, valid only while its arrival is the document's latest.
    private struct Waiting: Comparable {
        var arrival: UInt64
        var job: JobID

        static func < (lhs: Waiting, rhs: Waiting) -> Bool { lhs.arrival < rhs.arrival }
    }

    /// What is known of a document that waits or is being looked at.
    private struct Member {
        /// Nil for one that waits for no other's result.
        var mark: Mark?
        var arrival: UInt64
        var priority: Int32
        var flow: UInt32
    }

    /// Creates a gate at which no document waits; `capacity` is at least 1.
    public init(isOpen: Bool, capacity: Int) {
        self.isOpen = isOpen
        self.capacity = max(1, capacity)
    }

    /// The number of documents that wait.
    public var waitingCount: Int { members.count }
    /// The number of documents being looked at.
    public var activeCount: Int { active.count }

    /// Puts a document at the end of its flow's line, or moves it there if its priority is another one.
    ///
    /// `mark` is nil for a document to be looked at whatever is known about its content; `alone` asks
    /// that no other be looked at meanwhile.
    public mutating func enqueue(
        _ job: JobID,
        mark: Mark? = nil,
        alone: Bool = false,
        priority: Int,
        of flow: Flow,
        weight: Int = 1
    ) {
        guard active[job] == nil else { return }
        if alone { loners.insert(job) } else { loners.remove(job) }
        let priority = Int32(clamping: priority)
        if members[job]?.priority == priority {
            members[job]?.mark = mark
            return
        }
        if let before = members[job] { flows.leave(before.flow) }
        lastArrival += 1
        let member = Member(
            mark: mark,
            arrival: lastArrival,
            priority: priority,
            flow: flows.join(flow, priority: priority, weight: weight)
        )
        members[job] = member
        insert(job, member)
        if let interest = interests[job] {
            attended.insert(Attended(interest: interest, priority: priority, job: job))
        }
        leaveOutOthers()
    }

    /// Gives a document that waits another priority; does nothing for any other.
    public mutating func move(_ job: JobID, priority: Int, of flow: Flow, weight: Int = 1) {
        guard let member = members[job] else { return }
        let isAlone = loners.contains(job)
        enqueue(job, mark: member.mark, alone: isAlone, priority: priority, of: flow, weight: weight)
    }

    private mutating func insert(_ job: JobID, _ member: Member) {
        guard let turn = flows.turn(of: member.flow) else { return }
        line.insert(Waiting(arrival: member.arrival, job: job), at: turn)
    }

    /// Takes the jobs that someone looks at now.
    public mutating func attend(_ interests: [JobID: Interest]) {
        self.interests = interests
        attended = PriorityHeap(
            interests.compactMap { job, interest in
                members[job].map { Attended(interest: interest, priority: $0.priority, job: job) }
            }
        )
    }

    /// Rebuilds the line when most of its entries are documents that have been removed, as can happen
    /// while the gate is held.
    private mutating func leaveOutOthers() {
        guard line.count > 2 * members.count + 1024 else { return }
        line = FairHeap()
        for (job, member) in members { insert(job, member) }
    }

    /// Removes a document, whether it waits or is being looked at.
    public mutating func remove(_ job: JobID) {
        if let member = members.removeValue(forKey: job) { flows.leave(member.flow) }
        loners.remove(job)
        finish(job)
    }

    /// Opens or holds the gate.
    ///
    /// Documents being looked at are not interrupted.
    public mutating func setOpen(_ open: Bool) { isOpen = open }

    /// Sets how many documents may be looked at at once; those being looked at are not interrupted.
    public mutating func setCapacity(_ capacity: Int) { self.capacity = max(1, capacity) }

    /// Returns the next document to look at, or nil if there is none, the gate is held or no detector is
    /// free.
    public mutating func next() -> JobID? {
        guard isOpen, active.count < capacity else { return nil }
        guard loners.isEmpty || active.keys.allSatisfy({ !loners.contains($0) }) else { return nil }
        while let job = popFirst() {
            // It may have been removed.
            guard let member = members[job] else { continue }
            if let mark = member.mark, twins[mark] != nil {
                twins[mark]?.append(job)
                continue
            }
            guard active.isEmpty || !loners.contains(job) else {
                // It is next once nothing else is being looked at.
                released.append(job)
                return nil
            }
            members[job] = nil
            active[job] = member
            flows.begin(member.flow)
            flows.charge(member.flow, 1)
            if let mark = member.mark { twins[mark] = [] }
            return job
        }
        return nil
    }

    /// Frees the detector that looked at a document, and lets those with the same content go next.
    public mutating func finish(_ job: JobID) {
        if members[job] == nil { loners.remove(job) }
        guard let member = active.removeValue(forKey: job) else { return }
        flows.leave(member.flow)
        guard let mark = member.mark else { return }
        released.insert(contentsOf: (twins.removeValue(forKey: mark) ?? []).reversed(), at: 0)
    }

    private mutating func popFirst() -> JobID? {
        if let job = released.popLast() ?? attended.popFirst()?.job { return job }
        while let next = line.popFirst(by: flows) {
            if members[next.job]?.arrival == next.arrival { return next.job }
        }
        return nil
    }
}
