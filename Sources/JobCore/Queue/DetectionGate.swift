/// Decides which document is looked at next: in the order of their arrival, as many at once as there are
/// detectors, and none while the gate is held.
///
/// Documents of one content are never looked at at the same time: the result
/// of the first may do for the others, which wait for it.
///
/// A document may have to be looked at alone: where the daemon ended while it looked at several,
/// that shows which of them it was.
public struct DetectionGate: Sendable {
    /// A mark of what is in a document: equal for equal documents.
    ///
    /// Unequal documents may have the same one, and then merely wait for each other.
    public typealias Mark = UInt64

    /// True when documents are looked at as they arrive.
    public private(set) var isOpen: Bool
    /// How many documents may be looked at at once.
    public private(set) var capacity: Int
    private var waiting: [JobID] = []
    private var head = 0
    /// Who waits, and with what in it; nil for a document that waits for no other's result.
    private var members: [JobID: Mark?] = [:]
    private var active: [JobID: Mark?] = [:]
    /// Who waits for the result of a document with the same mark, in order.
    private var twins: [Mark: [JobID]] = [:]
    /// Who waited for a result that has come: they are next, the last one first.
    private var released: [JobID] = []
    /// Who is to be looked at while no other is.
    private var loners: Set<JobID> = []

    /// A gate with nothing behind it.
    public init(isOpen: Bool, capacity: Int) {
        self.isOpen = isOpen
        self.capacity = max(1, capacity)
    }

    /// How many documents wait.
    public var waitingCount: Int { members.count }
    /// How many documents are being looked at.
    public var activeCount: Int { active.count }

    /// Puts a document at the end of the line; once is enough.
    ///
    /// `mark` is nil for a document that is to be looked at whatever is known of its content.
    public mutating func enqueue(_ job: JobID, mark: Mark? = nil, alone: Bool = false) {
        guard active[job] == nil else { return }
        if alone { loners.insert(job) } else { loners.remove(job) }
        if members.updateValue(mark, forKey: job) == nil {
            waiting.append(job)
            leaveOutOthers()
        }
    }

    /// Shortens the line where most of it are documents that were taken out, while the gate is held say.
    private mutating func leaveOutOthers() {
        guard waiting.count - head > 2 * members.count + 1024 else { return }
        var kept: Set<JobID> = []
        waiting = waiting[head...].filter { members[$0] != nil && kept.insert($0).inserted }
        head = 0
    }

    /// Takes a document out, whether it waits or is being looked at.
    public mutating func remove(_ job: JobID) {
        members[job] = nil
        loners.remove(job)
        finish(job)
    }

    /// Opens the gate, or holds it.
    ///
    /// What is being looked at goes on.
    public mutating func setOpen(_ open: Bool) { isOpen = open }

    /// Changes how many documents may be looked at at once; those that are being looked at go on.
    public mutating func setCapacity(_ capacity: Int) { self.capacity = max(1, capacity) }

    /// The next document to look at, if the gate is open and a detector free.
    public mutating func next() -> JobID? {
        guard isOpen, active.count < capacity else { return nil }
        guard loners.isEmpty || active.keys.allSatisfy({ !loners.contains($0) }) else { return nil }
        while let job = popFirst() {
            // Taken out meanwhile, or named twice.
            guard let mark = members[job] else { continue }
            if let mark, twins[mark] != nil {
                twins[mark]?.append(job)
                continue
            }
            guard active.isEmpty || !loners.contains(job) else {
                // It is the next, as soon as nobody is looked at.
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

    /// The detector that looked at this document is free again.
    public mutating func finish(_ job: JobID) {
        if members[job] == nil { loners.remove(job) }
        guard let mark = active.removeValue(forKey: job), let mark else { return }
        released.insert(contentsOf: (twins.removeValue(forKey: mark) ?? []).reversed(), at: 0)
    }

    private mutating func popFirst() -> JobID? {
        if let job = released.popLast() { return job }
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
