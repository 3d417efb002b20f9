import CZlib
import Glibc
import JobCore
import Synchronization

/// A file that says which segments partials hold, for the daemon that follows one that was killed.
///
/// What a process has written survives its kill, synced or not, and with holes a partial is of use only
/// together with its map. So the map is written as the partial is, without waiting for the disk: a sync and
/// a commit later the store has it too. A power cut may take any of it, so the table counts only in the run
/// of the machine in which it was written.
///
/// It has a header and a slot for each transfer in segments. A job keeps its slot until others need it, since
/// it may have to wait for its next transfer. What a slot says of a job is true as long as the store has a
/// map of its partial: a partial that begins anew has none at first, and is noted here before it gets one.
public final class SegmentTable: Sendable {
    /// A file as the file system knows it.
    struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }

        init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }
    }

    /// What a slot says.
    struct Note: Hashable {
        var job: JobID
        var file: Identity
        var map: SegmentMap
    }

    private struct State {
        /// -1 until something is written.
        var descriptor: CInt = -1
        /// Whether the file begins with this run's header.
        var hasHeader: Bool
        /// The jobs that have slots, by slot.
        var jobs: [JobID?]
        var slots: [JobID: Int]
        /// The jobs whose transfers are under way, which keep their slots.
        var active: Set<JobID> = []
        /// The slot given to a new job last, after which the next one is looked for.
        var last = -1
        /// What the last run of the daemon has noted, of jobs that had no transfer since.
        var surviving: [JobID: Note]
    }

    private let path: String
    private let header: String
    private let write: Write
    private let state: Mutex<State>

    /// Writes bytes at an offset of a descriptor, and returns how many, as pwrite(2).
    typealias Write = @Sendable (CInt, UnsafeRawBufferPointer, off_t) -> Int

    /// The length in bytes of the header, and of each slot: what is written at once on all systems.
    static let slotLength = 4096
    /// The number of slots: as many transfers as would share a line, and as many that wait.
    static let slotCount = 256
    /// The most ranges that a slot has room for, each of two numbers of 19 digits.
    private static let rangeLimit = 96

    /// Reads what a file says about this run of the machine; it is created once something is noted.
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
        let notes = Self.notes(at: path, header: header)
        var jobs = [JobID?](repeating: nil, count: Self.slotCount)
        for (slot, note) in notes ?? [:] { jobs[slot] = note.job }
        let all = (notes ?? [:]).values
        state = Mutex(
            State(
                hasHeader: notes != nil,
                jobs: jobs,
                slots: Dictionary((notes ?? [:]).map { ($1.job, $0) }) { $1 },
                surviving: Dictionary(all.map { ($0.job, $0) }) { $1 }
            )
        )
    }

    deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

    /// Returns what the last run of the daemon wrote to a job's partial, if that is still the file at a path
    /// and no transfer has used it since.
    func surviving(of job: JobID, at path: String) -> SegmentMap? {
        guard let note = state.withLock({ $0.surviving[job] }) else { return nil }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Identity(status) == note.file
        else { return nil }
        return note.map.clipped(to: Int64(status.st_size))
    }

    /// Takes note that a transfer uses a job's partial, and says from now on what it holds.
    func forget(_ job: JobID) {
        state.withLock { if !$0.surviving.isEmpty { $0.surviving[job] = nil } }
    }

    /// Writes down what a partial holds; returns whether that will survive a kill.
    ///
    /// If not, nothing older is left of it either.
    func note(_ map: SegmentMap, of job: JobID, in file: Identity) -> Bool {
        state.withLock { state in
            guard isOpen(&state) else { return false }
            guard let slot = Self.slot(of: job, in: &state) else { return false }
            let text = Self.line(Note(job: job, file: file, map: map))
            guard put(text, at: (slot + 1) * Self.slotLength, of: state.descriptor) else {
                clear(&state)
                return false
            }
            return true
        }
    }

    /// Takes note that a job's transfer has ended, so that others may have its slot once none is free.
    func release(_ job: JobID) { state.withLock { _ = $0.active.remove(job) } }

    /// Returns a job's slot, its old one if it has one; nil while all are in use.
    private static func slot(of job: JobID, in state: inout State) -> Int? {
        if let slot = state.slots[job] {
            state.active.insert(job)
            return slot
        }
        // Round and round, so that the one taken over is mostly an old one.
        let order = (1...slotCount).map { (state.last + $0) % slotCount }
        let free = order.first { state.jobs[$0] == nil }
        guard let slot = free ?? order.first(where: { !state.active.contains(state.jobs[$0] ?? job) }) else {
            return nil
        }
        if let old = state.jobs[slot] { state.slots[old] = nil }
        state.last = slot
        state.jobs[slot] = job
        state.slots[job] = slot
        state.active.insert(job)
        return slot
    }

    /// Opens the file, unless it is open, and begins it with the header; returns whether it can be used.
    private func isOpen(_ state: inout State) -> Bool {
        if state.descriptor < 0 {
            let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            state.descriptor = open(path, flags, 0o600)
            guard state.descriptor >= 0 else { return false }
        }
        guard !state.hasHeader else { return true }
        // First nothing, so that no slot of another run comes under this one's header.
        guard ftruncate(state.descriptor, 0) == 0, put(Array(header.utf8), at: 0, of: state.descriptor) else {
            clear(&state)
            return false
        }
        state.hasHeader = true
        return true
    }

    /// Empties the table; what it said of others is soon noted again.
    private func clear(_ state: inout State) {
        state.hasHeader = false
        if ftruncate(state.descriptor, 0) != 0 { unlink(path) }
        close(state.descriptor)
        state.descriptor = -1
    }

    private func put(_ text: [UInt8], at offset: Int, of descriptor: CInt) -> Bool {
        text.withUnsafeBytes { write(descriptor, $0, off_t(offset)) } == text.count
    }

    // MARK: - Text

    /// Returns what each slot of a file says; nil for one that isn't of this run.
    private static func notes(at path: String, header: String) -> [Int: Note]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let first = text(at: 0, of: descriptor), first.starts(with: header.utf8) else { return nil }
        var notes: [Int: Note] = [:]
        for slot in 0..<slotCount {
            guard let text = text(at: (slot + 1) * slotLength, of: descriptor) else { break }
            if let note = note(in: text) { notes[slot] = note }
        }
        return notes
    }

    /// Returns the text of a slot, or of the header; nil behind the file's end.
    private static func text(at offset: Int, of descriptor: CInt) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: slotLength)
        let count = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
        }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// Returns the line for a slot: a checksum and then, separated by spaces, the job, the partial's device
    /// and inode, and the map.
    ///
    /// A map that is too long is cut, which claims less than there is.
    static func line(_ note: Note) -> [UInt8] {
        var map = note.map
        if map.ranges.count > rangeLimit { map = map.clipped(to: map.ranges[rangeLimit].lowerBound) }
        let text = "\(note.job.rawValue) \(note.file.device) \(note.file.inode) \(map.text)"
        return Array("\(checksum(text)) \(text)\n".utf8)
    }

    /// Reads a slot; nil if nothing was ever written to it, or something else.
    static func note(in slot: [UInt8]) -> Note? {
        // What follows the line is the end of a longer one that was there before.
        guard let end = slot.firstIndex(of: UInt8(ascii: "\n")),
            let line = String(validating: slot[..<end], as: UTF8.self)
        else { return nil }
        let fields = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard fields.count == 2, UInt(fields[0]) == checksum(String(fields[1])) else { return nil }
        let words = fields[1].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, let job = Int64(words[0]), let device = UInt64(words[1]),
            let inode = UInt64(words[2]), let map = SegmentMap(text: String(words[3]))
        else { return nil }
        return Note(job: JobID(rawValue: job), file: Identity(device: device, inode: inode), map: map)
    }

    /// A checksum by which a line is known to be whole (CRC-32, zlib).
    private static func checksum(_ text: String) -> UInt {
        Array(text.utf8).withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
    }
}
