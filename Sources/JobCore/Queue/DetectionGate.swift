/// Which document is looked at next: in the order of their arrival, as many at
/// once as there are detectors, and none while the gate is held.
public struct DetectionGate: Sendable {
    /// True when documents are looked at as they arrive.
    public private(set) var isOpen: Bool
    /// How many documents may be looked at at once.
    public private(set) var capacity: Int
    private var waiting: [JobID] = []
    private var head = 0
    private var members: Set<JobID> = []
    private var active: Set<JobID> = []

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
    public mutating func enqueue(_ job: JobID) {
        guard !active.contains(job), members.insert(job).inserted else { return }
        waiting.append(job)
    }

    /// Takes a document out, whether it waits or is being looked at.
    public mutating func remove(_ job: JobID) {
        members.remove(job)
        active.remove(job)
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
        while head < waiting.count {
            let job = waiting[head]
            head += 1
            if head > 1024, head * 2 > waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            guard members.remove(job) != nil else { continue }
            active.insert(job)
            return job
        }
        return nil
    }

    /// The detector that looked at this document is free again.
    public mutating func finish(_ job: JobID) { active.remove(job) }
}
