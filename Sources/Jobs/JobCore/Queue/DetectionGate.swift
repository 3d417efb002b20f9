import JobModel
import Vocabulary

/// Decides which document is looked at next: what people look at first, then by higher priority, then the
/// flow that has had the fewest looked at, then in order of arrival; as many at once as there are detectors,
/// and none while the gate is held.
///
/// Documents with the same content are never looked at at the same time: the others wait, since the
/// result of the first may do for them too.
///
/// A document can be marked to be looked at alone. If the daemon crashed while several documents were
/// being looked at, that shows which of them is to blame.
///
/// A document that waits takes only a few words of memory, and those that follow each other and are put in
/// as one list share most of these, so that a million can wait for a held gate.
public struct DetectionGate: Sendable {
    /// The mark by which documents are compared.
    public typealias Mark = ContentMark

    /// True if documents are looked at as they arrive; false while the gate is held.
    public private(set) var isOpen: Bool
    /// The number of documents that may be looked at at once.
    public private(set) var capacity: Int
    /// The line; entries of documents that have been removed or moved are skipped.
    private var line = FairHeap<Waiting>()
    private var members = JobTable<Member>()
    /// The marks of documents that wait for another's result, or that others would wait for.
    private var marks = JobTable<Mark>()
    private var active: [JobID: Looked] = [:]
    /// The flows that share the detectors, by documents.
    private var flows = FlowTable()
    private var lastArrival: UInt64 = 0
    /// The jobs that wait for the result of a document with the same mark, in order.
    private var twins: [Mark: WaitingLine<JobID>] = [:]
    /// The jobs that go first: they waited for a result that has come.
    private var released = ReleasedTwins()
    /// The job that is next before all others, once nothing else is being looked at.
    private var postponed: JobID?
    /// The jobs whose documents must be looked at alone.
    private var loners: Set<JobID> = []
    /// The jobs that someone looks at, here or not.
    private var interests: [JobID: Interest] = [:]
    /// The jobs of ``interests`` that wait; they are in the line as well.
    private var attended = PriorityHeap<Attended>()

    private struct Attended: Comparable {
        var interest: Interest
        var priority: Int32
        var job: JobID

        static func < (lhs: Attended, rhs: Attended) -> Bool {
            (lhs.interest, -Int64(lhs.priority), lhs.job) < (rhs.interest, -Int64(rhs.priority), rhs.job)
        }
    }

    /// The place in the line of a document, and of those that follow it and were put in together with it.
    ///
    /// It is valid for those of them whose latest arrival it has.
    private struct Waiting: Comparable {
        var arrival: UInt64
        var job: JobID
        /// The last of them.
        var last: JobID

        /// The same place without its first job; nil if there is no other.
        var rest: Waiting? {
            guard job < last else { return nil }
            return Waiting(arrival: arrival, job: JobID(rawValue: job.rawValue + 1), last: last)
        }

        static func < (lhs: Waiting, rhs: Waiting) -> Bool {
            (lhs.arrival, lhs.job) < (rhs.arrival, rhs.job)
        }
    }

    /// A waiting document's data besides its mark.
    private struct Member: Hashable {
        var arrival: UInt64
        var priority: Int32
        var flow: UInt32
    }

    /// The data of a document that is being looked at.
    private struct Looked {
        /// Nil for one that waits for no other's result.
        var mark: Mark?
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
        let before = members[job]
        setMark(mark, of: job)
        if before?.priority == priority { return }
        if let before { flows.leave(before.flow) }
        lastArrival += 1
        let member = Member(
            arrival: lastArrival,
            priority: priority,
            flow: flows.join(flow, priority: priority, weight: weight)
        )
        members.set(member, for: job)
        insert(job...job, member)
        if let interest = interests[job] {
            attended.insert(Attended(interest: interest, priority: priority, job: job))
        }
        leaveOutOthers()
    }

    /// Puts documents at the end of their flow's line whose jobs follow each other, and which have all of this in
    /// common; that costs little more than to put one there.
    ///
    /// `marks` has one for each.
    public mutating func enqueue(
        _ jobs: ClosedRange<JobID>,
        marks newMarks: [Mark?],
        priority: Int,
        of flow: Flow,
        weight: Int = 1
    ) {
        let known = { (job: JobID) in jobs.contains(job) }
        let numbers = jobs.lowerBound.rawValue...jobs.upperBound.rawValue
        guard members.isEmpty(in: jobs), !active.keys.contains(where: known),
            !interests.keys.contains(where: known),
            !loners.contains(where: known)
        else {
            for (number, mark) in zip(numbers, newMarks) {
                enqueue(JobID(rawValue: number), mark: mark, priority: priority, of: flow, weight: weight)
            }
            return
        }
        let priority = Int32(clamping: priority)
        lastArrival += 1
        let member = Member(
            arrival: lastArrival,
            priority: priority,
            flow: flows.join(flow, priority: priority, weight: weight, count: numbers.count)
        )
        members.set(member, for: jobs)
        for (number, mark) in zip(numbers, newMarks) { setMark(mark, of: JobID(rawValue: number)) }
        insert(jobs, member)
    }

    /// Changes a waiting document's priority; does nothing for any other document.
    public mutating func move(_ job: JobID, priority: Int, of flow: Flow, weight: Int = 1) {
        guard members[job] != nil else { return }
        let isAlone = loners.contains(job)
        enqueue(job, mark: marks[job], alone: isAlone, priority: priority, of: flow, weight: weight)
    }

    private mutating func setMark(_ mark: Mark?, of job: JobID) {
        if let mark { marks.set(mark, for: job) } else { marks.remove(job) }
    }

    private mutating func insert(_ jobs: ClosedRange<JobID>, _ member: Member) {
        guard let turn = flows.turn(of: member.flow) else { return }
        let place = Waiting(arrival: member.arrival, job: jobs.lowerBound, last: jobs.upperBound)
        line.insert(place, at: turn)
    }

    /// Sets the jobs that someone looks at now.
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
        let members = members
        members.forEachRun { insert($0, $1) }
    }

    /// Removes a document, whether it waits or is being looked at.
    public mutating func remove(_ job: JobID) {
        if let member = members.remove(job) { flows.leave(member.flow) }
        marks.remove(job)
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
            let mark = marks[job]
            if let mark, twins[mark] != nil {
                twins[mark]?.append(job)
                continue
            }
            guard active.isEmpty || !loners.contains(job) else {
                postponed = job
                return nil
            }
            members.remove(job)
            marks.remove(job)
            active[job] = Looked(mark: mark, flow: member.flow)
            flows.begin(member.flow)
            flows.charge(member.flow, 1)
            if let mark { twins[mark] = WaitingLine() }
            return job
        }
        return nil
    }

    /// Frees the detector that looked at a document, and lets those with the same content go next.
    public mutating func finish(_ job: JobID) {
        if members[job] == nil { loners.remove(job) }
        guard let member = active.removeValue(forKey: job) else { return }
        flows.leave(member.flow)
        guard let mark = member.mark, let waiting = twins.removeValue(forKey: mark) else { return }
        released.append(waiting, of: mark)
    }

    /// Returns the next few of those jobs that wait for nothing any more but their turn, and whose documents have
    /// the content of the one that was taken last.
    public func following(_ count: Int) -> ArraySlice<JobID> { released.following(count) }

    private mutating func popFirst() -> JobID? {
        if let job = postponed {
            postponed = nil
            return job
        }
        while let mark = released.mark {
            if twins[mark] != nil {
                // The next of this content is being looked at, so the others wait for it.
                twins[mark]?.append(contentsOf: released.popGroup())
            } else if let job = released.popFirst() {
                return job
            }
        }
        if let job = attended.popFirst()?.job { return job }
        while let next = line.popFirst(by: flows) {
            guard let (place, member) = withoutStale(next) else { continue }
            if let rest = place.rest, let turn = flows.turn(of: member.flow) { line.insert(rest, at: turn) }
            return place.job
        }
        return nil
    }

    /// Returns a place from its first job on that waits and hasn't been moved; nil if there is none.
    private func withoutStale(_ place: Waiting) -> (place: Waiting, member: Member)? {
        var place = place
        while true {
            if let member = members[place.job], member.arrival == place.arrival { return (place, member) }
            guard let rest = place.rest else { return nil }
            place = rest
        }
    }
}
