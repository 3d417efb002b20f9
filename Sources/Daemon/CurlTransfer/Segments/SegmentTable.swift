import Glibc
import JobModel
import Synchronization
import Vocabulary

/// A file that says which segments partials hold, for the daemon that follows one that was killed.
///
/// What a process has written survives its kill, synced or not, and with holes a partial is of use only
/// together with its map. So the map is written as the partial is, without waiting for the disk: a sync and
/// a commit later the store has it too. A power cut may take any of it, so the table counts only in the run
/// of the machine in which it was written.
///
/// It has a header and a slot for each transfer in segments. A job keeps its slot until others need it, since
/// it may have to wait for its next transfer. What a slot says of a job is true as long as the store has a
/// map of its partial, and of the same version of its file: a partial that begins anew has no map at first,
/// and before it gets one, it is noted here, or what was noted of it is removed.
public final class SegmentTable: Sendable {
    /// The subject of a note: a partial, and the version of the file on the server that is fetched into it.
    struct Subject: Hashable {
        var job: JobID
        var device: UInt64
        var inode: UInt64
        /// The length of the whole file in bytes.
        var total: Int64
        /// The checksum of the version's validator.
        var version: UInt

        init(job: JobID, device: UInt64, inode: UInt64, total: Int64, version: UInt) {
            (self.job, self.device, self.inode) = (job, device, inode)
            (self.total, self.version) = (total, version)
        }

        /// Describes an open partial; nil if the system doesn't tell which file it is.
        init?(of job: JobID, descriptor: CInt, total: Int64, validator: Validator) {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            (self.job, self.total) = (job, total)
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
            version = SegmentTable.checksum(validator.headerValue)
        }
    }

    /// The content of a slot.
    struct Note: Hashable {
        var subject: Subject
        var map: SegmentMap
    }

    /// The result of writing a note.
    enum Outcome {
        /// It will survive a kill.
        case noted
        /// It won't survive a kill, and nothing older is left of it.
        case failed
        /// It won't survive a kill, and neither will any other note that was written before.
        case allLost
    }

    private struct State {
        /// -1 if the file can't be used.
        var descriptor: CInt
        /// True if the file begins with this run's header.
        var hasHeader: Bool
        /// The jobs that have slots, by slot.
        var jobs: [JobID?]
        var slots: [JobID: Int]
        /// The jobs whose transfers are under way, which keep their slots.
        var active: Set<JobID> = []
        /// The slot given to a new job last, after which the next one is looked for.
        var last = -1

        mutating func assign(_ slot: Int, to job: JobID) {
            if let old = jobs[slot] { slots[old] = nil }
            jobs[slot] = job
            slots[job] = slot
        }
    }

    private let path: String
    private let header: String
    private let write: Write
    private let state: Mutex<State>
    /// Notes of earlier runs of the daemon, of jobs that had no transfer since.
    ///
    /// It has a lock of its own: who asks for it must not wait for what is being written.
    private let survivors: Mutex<[JobID: Note]>

    /// Writes bytes at an offset of a descriptor, and returns how many, as pwrite(2).
    typealias Write = @Sendable (CInt, UnsafeRawBufferPointer, off_t) -> Int

    /// The length in bytes of the header, and of each slot, which is a page of most systems.
    static let slotLength = 4096
    /// The number of slots, in a file of a megabyte.
    ///
    /// Transfers beyond that wait for the store instead.
    static let slotCount = 256

    /// Reads what a file says about this run of the machine, and creates it if there is none.
    ///
    /// A file that can't be written is removed, and nothing is noted.
    ///
    /// - Parameter boot: The id of the machine's run (/proc/sys/kernel/random/boot_id).
    public convenience init(path: String, boot: String) {
        self.init(path: path, boot: boot) { pwrite($0, $1.baseAddress, $1.count, $2) }
    }

    /// Reads it, and writes as a test wants.
    init(path: String, boot: String, write: @escaping Write) {
        self.path = path
        self.write = write
        header = "facefetch segments 1 \(boot)\n"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        // A file that can't be opened can't be replaced either, and would be believed later.
        if descriptor < 0 { unlink(path) }
        var notes = Self.notes(in: descriptor, header: header)
        // No job has two slots, unless somebody else has written them: then none is believed.
        if let all = notes, Set(all.map(\.note.subject.job)).count < all.count { notes = nil }
        var state = State(
            descriptor: descriptor,
            hasHeader: notes != nil,
            jobs: Array(repeating: nil, count: Self.slotCount),
            slots: [:]
        )
        var survivors: [JobID: Note] = [:]
        for (slot, note) in notes ?? [] {
            state.assign(slot, to: note.subject.job)
            survivors[note.subject.job] = note
        }
        self.state = Mutex(state)
        self.survivors = Mutex(survivors)
    }

    deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

    /// Returns what earlier runs of the daemon wrote to a job's partial, if that is still the file at a path,
    /// of the same version, and no transfer has used it since.
    func surviving(of job: JobID, at path: String, total: Int64, validator: Validator) -> SegmentMap? {
        guard let note = survivors.withLock({ $0[job] }) else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let subject = Subject(of: job, descriptor: descriptor, total: total, validator: validator)
        return subject == note.subject ? Self.withoutHoles(note.map, descriptor) : nil
    }

    /// SEEK_DATA and SEEK_HOLE of lseek(2), which Swift's module of the C library leaves out.
    private static let (seekData, seekHole): (CInt, CInt) = (3, 4)

    /// Returns those parts of a map that a file has, without what has become holes.
    ///
    /// They come where a disk was taken from a running machine: it has lost what was never synced.
    private static func withoutHoles(_ map: SegmentMap, _ descriptor: CInt) -> SegmentMap {
        var there = SegmentMap()
        for range in map.ranges {
            var offset = range.lowerBound
            while offset < range.upperBound {
                // Fails behind the end of the file, and behind the last data.
                let data = Int64(lseek(descriptor, off_t(offset), seekData))
                guard data >= offset, data < range.upperBound else { break }
                let hole = Int64(lseek(descriptor, off_t(data), seekHole))
                guard hole > data else { break }
                there.insert(data..<min(hole, range.upperBound))
                offset = hole
            }
        }
        return there
    }

    /// Drops what earlier runs have left of a job: its transfer has opened the partial, and notes from now on
    /// what it holds.
    func transferBegan(_ job: JobID) {
        survivors.withLock { if !$0.isEmpty { $0[job] = nil } }
    }

    /// Writes down what a partial holds.
    func note(_ map: SegmentMap, of subject: Subject) -> Outcome {
        state.withLock { state in
            guard state.descriptor >= 0 else { return .failed }
            guard hasHeader(&state) else { return clear(&state) }
            let old = state.slots[subject.job]
            guard let slot = old ?? newSlot(&state) else { return .failed }
            if put(Self.line(Note(subject: subject, map: map)), in: slot, state) {
                state.active.insert(subject.job)
                if old == nil { state.assign(slot, to: subject.job) }
                return .noted
            }
            // What was noted of another job may be left, and is true.
            guard old != nil else { return .failed }
            return put([UInt8(ascii: "\n")], in: slot, state) ? .failed : clear(&state)
        }
    }

    /// Removes what was noted of a job's partial; returns ``Outcome/allLost`` if that took all notes.
    func remove(_ job: JobID) -> Outcome {
        state.withLock { state in
            guard let slot = state.slots[job], state.descriptor >= 0 else { return .failed }
            return put([UInt8(ascii: "\n")], in: slot, state) ? .failed : clear(&state)
        }
    }

    /// Notes that a job's transfer has ended, so that others may have its slot once none is free.
    func release(_ job: JobID) { state.withLock { _ = $0.active.remove(job) } }

    /// Returns a slot for a job that has none; nil while all are in use.
    private func newSlot(_ state: inout State) -> Int? {
        // Slots are reused in turn, so that the reused one is mostly an old one.
        let order = (1...Self.slotCount).map { (state.last + $0) % Self.slotCount }
        let others = order.filter { state.jobs[$0].map { !state.active.contains($0) } ?? true }
        let unneeded = survivors.withLock { survivors in
            others.first { state.jobs[$0].map { survivors[$0] == nil } ?? true }
        }
        let slot = others.first { state.jobs[$0] == nil } ?? unneeded ?? others.first
        state.last = slot ?? state.last
        return slot
    }

    /// Begins the file with the header, unless it does already; returns whether that is so.
    private func hasHeader(_ state: inout State) -> Bool {
        if state.hasHeader { return true }
        // The file is emptied first, so that no slot of another run comes under this run's header.
        guard ftruncate(state.descriptor, 0) == 0 else { return false }
        // Notes are worth most where the disk is about to be full, so their room is taken while there is some.
        _ = posix_fallocate(state.descriptor, 0, off_t((Self.slotCount + 1) * Self.slotLength))
        state.hasHeader = put(Array(header.utf8), in: -1, state)
        return state.hasHeader
    }

    /// Empties the table; if even that fails, it is not used any more.
    private func clear(_ state: inout State) -> Outcome {
        state.hasHeader = false
        if ftruncate(state.descriptor, 0) != 0 {
            unlink(path)
            close(state.descriptor)
            state.descriptor = -1
        }
        return .allLost
    }

    private func put(_ text: [UInt8], in slot: Int, _ state: State) -> Bool {
        let offset = off_t((slot + 1) * Self.slotLength)
        return text.withUnsafeBytes { write(state.descriptor, $0, offset) } == text.count
    }
}
