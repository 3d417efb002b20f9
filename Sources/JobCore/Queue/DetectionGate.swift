/// Decides which document is looked at next: what people look at first, then in order of arrival, as many
/// at once as there are detectors, and none while the gate is held.
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
    private var waiting: [JobID] = []
    private var head = 0
    /// The waiting jobs with their documents' marks; nil for one that waits for no other's result.
    private var members: [JobID: Mark?] = [:]
    private var active: [JobID: Mark?] = [:]
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
        var job: JobID

        static func < (lhs: Attended, rhs: Attended) -> Bool {
            (lhs.interest, lhs.job) < (rhs.interest, rhs.job)
        }
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

    /// Puts a document at the end of the line, unless it is in the line already.
    ///
    /// `mark` is nil for a document to be looked at whatever is known about its content; `alone` asks
    /// that no other be looked at meanwhile.
    public mutating func enqueue(_ job: JobID, mark: Mark? = nil, alone: Bool = false) {
        guard active[job] == nil else { return }
        if alone { loners.insert(job) } else { loners.remove(job) }
        if members.updateValue(mark, forKey: job) == nil {
            waiting.append(job)
            if let interest = interests[job] { attended.insert(Attended(interest: interest, job: job)) }
            leaveOutOthers()
        }
    }

    /// Takes the jobs that someone looks at now.
    public mutating func attend(_ interests: [JobID: Interest]) {
        self.interests = interests
        attended = PriorityHeap(
            interests.lazy.filter { [members] in members[$0.key] != nil }
                .map { Attended(interest: $0.value, job: $0.key) }
        )
    }

    /// Rebuilds the line when most of its entries are documents that have been removed, as can happen
    /// while the gate is held.
    private mutating func leaveOutOthers() {
        guard waiting.count - head > 2 * members.count + 1024 else { return }
        var kept: Set<JobID> = []
        waiting = waiting[head...].filter { members[$0] != nil && kept.insert($0).inserted }
        head = 0
    }

    /// Removes a document, whether it waits or is being looked at.
    public mutating func remove(_ job: JobID) {
        members[job] = nil
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
            // It has been removed, or is in the line twice.
            guard let mark = members[job] else { continue }
            if let mark, twins[mark] != nil {
                twins[mark]?.append(job)
                continue
            }
            guard active.isEmpty || !loners.contains(job) else {
                // It is next once nothing else is being looked at.
                released.append(job)
                return nil
            }
            members[job] = nil
            active.updateValue(mark, forKey: job)
            if let mark { twins[mark] = [] }
            return job
        }
        return nil
    }

    /// Frees the detector that looked at a document, and lets those with the same content go next.
    public mutating func finish(_ job: JobID) {
        if members[job] == nil { loners.remove(job) }
        guard let mark = active.removeValue(forKey: job), let mark else { return }
        released.insert(contentsOf: (twins.removeValue(forKey: mark) ?? []).reversed(), at: 0)
    }

    private mutating func popFirst() -> JobID? {
        if let job = released.popLast() ?? attended.popFirst()?.job { return job }
        guard head < waiting.count else { return nil }
        let job = waiting[head]
        head += 1
        if head > 1024, head * 2 > waiting.count {
            waiting.removeFirst(head)
            head = 0
        }
        return job
    }
}
