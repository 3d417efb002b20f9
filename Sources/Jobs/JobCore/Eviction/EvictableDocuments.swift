import JobModel
import Vocabulary

/// The documents that may be removed to make room, and which of them goes next: the one that was served
/// least recently.
///
/// Of each document, and of each that is being downloaded, it has a few words.
public struct EvictableDocuments: Sendable {
    private struct Entry: Comparable {
        var lastUse: SteadyTime
        var job: JobID

        static func < (lhs: Entry, rhs: Entry) -> Bool {
            (lhs.lastUse, lhs.job) < (rhs.lastUse, rhs.job)
        }
    }

    private var documents: [JobID: EvictableDocument] = [:]
    /// The documents that may go; also stale entries, which are skipped.
    private var heap = PriorityHeap<Entry>()
    /// The jobs whose documents turned out to be somebody else's, or can't be removed.
    private var setAside: Set<JobID> = []
    /// The lengths of what is being downloaded, where they are known.
    private var expected: [JobID: Int64] = [:]
    /// The bytes of all documents that don't leave, and of what is being downloaded.
    public private(set) var bytes: Int64 = 0
    /// The bytes of the documents that leave, and are on the disk until they have left.
    public private(set) var leaving: Int64 = 0

    public init() {}

    /// The number of documents.
    public var count: Int { documents.count }

    /// Updates the entry of a job; jobs whose documents are to be kept have none.
    public mutating func update(_ job: Job) {
        guard job.isEvictable else { return }
        let isArriving = job.state == .downloading && job.path == nil
        expect(isArriving ? job.totalBytes.map { min($0, Self.largest) } : nil, of: job.id)
        guard job.path != nil else { return removeDocument(of: job.id) }
        put(
            EvictableDocument(
                job: job.id,
                bytes: job.bytes,
                lastUse: max(job.servedAt ?? .distantPast, (job.finishedAt ?? job.createdAt).steady),
                standing: job.evictedAt != nil ? .leaves : job.mayBeEvicted ? .mayGo : .stays
            )
        )
    }

    /// The most bytes that one document counts for: servers announce anything, and the sum must not overflow.
    private static let largest: Int64 = 1 << 50

    /// Adds a document, or takes in what has changed of it.
    public mutating func put(_ document: EvictableDocument) {
        var document = document
        document.bytes = min(document.bytes, Self.largest)
        if setAside.contains(document.job), document.standing == .mayGo { document.standing = .stays }
        let before = documents.updateValue(document, forKey: document.job)
        bytes += document.weight - (before?.weight ?? 0)
        leaving += document.lastWeight - (before?.lastWeight ?? 0)
        guard document.standing == .mayGo else { return }
        if let before, before.standing == .mayGo, before.lastUse == document.lastUse { return }
        insert(document)
    }

    /// Forgets a job, with its document.
    public mutating func forget(_ job: JobID) {
        expect(nil, of: job)
        removeDocument(of: job)
    }

    /// Forgets jobs whose batch was withdrawn.
    public mutating func forget(_ jobs: ClosedRange<JobID>) {
        for job in expected.keys where jobs.contains(job) { expect(nil, of: job) }
    }

    /// Keeps a document for as long as the daemon runs, because it isn't the file that was stored, or can't
    /// be removed.
    public mutating func setAside(_ job: JobID) {
        guard var document = documents[job] else { return }
        setAside.insert(job)
        document.standing = .stays
        put(document)
    }

    /// Returns how much of a maximum is made use of: a little less than all, since removing takes a moment,
    /// in which others are stored.
    public static func room(in maximum: Int64) -> Int64 { maximum - maximum / 32 }

    /// Returns the documents to remove so that all fit into so many bytes, in order; they are to be put, set
    /// aside or forgotten then.
    ///
    /// None that someone looks at is among them.
    public mutating func victims(
        maximum: Int64,
        sparing interests: [JobID: Interest],
        atMost limit: Int
    ) -> [JobID] {
        let aim = Self.room(in: maximum)
        var left = bytes
        var victims: [JobID] = []
        var spared: [Entry] = []
        while left > aim, victims.count < limit, let entry = heap.popFirst() {
            guard let document = documents[entry.job], document.standing == .mayGo,
                document.lastUse == entry.lastUse
            else { continue }
            guard interests[entry.job] == nil else {
                spared.append(entry)
                continue
            }
            left -= document.bytes
            victims.append(entry.job)
        }
        for entry in spared { heap.insert(entry) }
        return victims
    }

    /// Returns the downloads for which there is no room in so many bytes: the newest.
    public func withoutRoom(maximum: Int64) -> [JobID] {
        var left = bytes
        var refused: [JobID] = []
        for (job, length) in expected.sorted(by: { $0.key > $1.key }) {
            guard left > maximum else { break }
            left -= length
            refused.append(job)
        }
        return refused
    }

    /// Returns the downloads that have no room even alone.
    public func tooLong(maximum: Int64) -> [JobID] {
        guard !expected.isEmpty else { return [] }
        return expected.filter { $0.value > Self.room(in: maximum) }.keys.sorted()
    }

    private mutating func expect(_ length: Int64?, of job: JobID) {
        guard length != nil || !expected.isEmpty else { return }
        bytes += (length ?? 0) - (expected[job] ?? 0)
        expected[job] = length
    }

    private mutating func removeDocument(of job: JobID) {
        guard let document = documents.removeValue(forKey: job) else { return }
        bytes -= document.weight
        leaving -= document.lastWeight
        setAside.remove(job)
    }

    private mutating func insert(_ document: EvictableDocument) {
        heap.insert(Entry(lastUse: document.lastUse, job: document.job))
        // Each document that is served again leaves a stale entry behind.
        guard heap.count > 2 * documents.count + 1024 else { return }
        heap = PriorityHeap()
        for (job, document) in documents where document.standing == .mayGo {
            heap.insert(Entry(lastUse: document.lastUse, job: job))
        }
    }
}

extension EvictableDocument {
    /// The bytes that count: none of a document that leaves.
    fileprivate var weight: Int64 { standing == .leaves ? 0 : bytes }
    /// The bytes of a document that leaves.
    fileprivate var lastWeight: Int64 { bytes - weight }
}

extension SteadyTime {
    /// A reading before all others.
    fileprivate static var distantPast: SteadyTime { SteadyTime(microseconds: .min) }
}
