import Glibc
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import CurlTransfer

/// Tests of what a daemon that was killed leaves to the next.
struct SegmentTableTests {
    private let directory: TemporaryDirectory
    private let map = SegmentMap(text: "0-20,50-80") ?? SegmentMap()

    init() throws { directory = try TemporaryDirectory() }

    private func table(boot: String = "one") -> SegmentTable {
        SegmentTable(path: directory.path("segments"), boot: boot)
    }

    private static let validator = Validator.entityTag("\"v1\"")

    /// A partial, and what the table knows it by.
    private struct Partial {
        var path: String
        var inode: SegmentTable.Subject

        func of(_ job: Int64) -> SegmentTable.Subject {
            var subject = inode
            subject.job = JobID(rawValue: job)
            return subject
        }
    }

    private func partial(_ name: String = "1.part", length: Int = 100) throws -> Partial {
        let path = try directory.write([UInt8](repeating: 7, count: length), to: name)
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let subject = SegmentTable.Subject(
            of: JobID(rawValue: 0),
            descriptor: descriptor,
            total: 1000,
            validator: Self.validator
        )
        return Partial(path: path, inode: try #require(subject))
    }

    private func surviving(
        _ job: Int64,
        _ path: String,
        in table: SegmentTable? = nil,
        total: Int64 = 1000,
        validator: Validator = Self.validator
    ) -> SegmentMap? {
        (table ?? self.table())
            .surviving(of: JobID(rawValue: job), at: path, total: total, validator: validator)
    }

    @Test("What was noted last is there after a kill, in the same run of the machine only")
    func survives() throws {
        let partial = try partial()
        let killed = table()
        #expect(killed.note(SegmentMap(text: "0-20,50-60,70-90") ?? map, of: partial.of(1)) == .noted)
        // There is room for all slots, should the disk be full when they are needed.
        let length = (SegmentTable.slotCount + 1) * SegmentTable.slotLength
        #expect(try directory.read("segments").count == length)
        // Shorter than what was there.
        #expect(killed.note(map, of: partial.of(1)) == .noted)
        #expect(surviving(1, partial.path, in: killed) == nil, "it is this daemon's own")
        #expect(surviving(1, partial.path) == map)
        #expect(surviving(2, partial.path) == nil)
        #expect(surviving(1, partial.path, in: table(boot: "two")) == nil)
    }

    @Test("A run of the machine begins with an empty table")
    func otherRun() throws {
        let partial = try partial()
        #expect(table().note(map, of: partial.of(1)) == .noted)
        #expect(table(boot: "two").note(map, of: partial.of(2)) == .noted)
        #expect(surviving(1, partial.path, in: table(boot: "two")) == nil)
        #expect(surviving(2, partial.path, in: table(boot: "two")) == map)
        #expect(surviving(1, partial.path) == nil)
    }

    @Test("It is of use for the file in which it was written alone, as far as that goes")
    func otherFile() throws {
        let partial = try partial(length: 60)
        #expect(table().note(map, of: partial.of(1)) == .noted)
        #expect(surviving(1, partial.path)?.text == "0-20,50-60")
        let other = try self.partial("2.part")
        #expect(surviving(1, other.path) == nil)
        #expect(rename(other.path, partial.path) == 0)
        #expect(surviving(1, partial.path) == nil)
        #expect(unlink(partial.path) == 0 && symlink("/dev/null", partial.path) == 0)
        #expect(surviving(1, partial.path) == nil)
    }

    @Test("It is of use for the version of the server's file alone that was fetched")
    func otherVersion() throws {
        let partial = try partial()
        #expect(table().note(map, of: partial.of(1)) == .noted)
        #expect(surviving(1, partial.path, validator: .entityTag("\"v2\"")) == nil)
        #expect(surviving(1, partial.path, total: 1001) == nil)
        #expect(surviving(1, partial.path) == map)
    }

    @Test("What a disk has lost of the partial since then is not believed to be there")
    func holes() throws {
        let block: Int64 = 64 << 10
        var noted = SegmentMap(prefix: 6 * block)
        noted.insert(8 * block..<12 * block)
        noted.insert(14 * block..<(16 * block))
        var left = SegmentMap(prefix: 2 * block)
        left.insert(3 * block..<6 * block)
        left.insert(9 * block..<12 * block)
        left.insert(14 * block..<15 * block)
        for length in [16 * block, 14 * block + 100] {
            let partial = try partial(length: 0)
            let bytes = [UInt8](repeating: 7, count: Int(3 * block))
            let descriptor = open(partial.path, O_WRONLY)
            defer { close(descriptor) }
            for range in left.clipped(to: length).ranges {
                let count = Int(range.upperBound - range.lowerBound)
                #expect(pwrite(descriptor, bytes, count, off_t(range.lowerBound)) == count)
            }
            #expect(ftruncate(descriptor, off_t(length)) == 0)
            var subject = partial.of(1)
            subject.total = 1 << 20
            #expect(table().note(noted, of: subject) == .noted)
            #expect(surviving(1, partial.path, total: 1 << 20) == left.clipped(to: length))
        }
    }

    @Test("From the moment that a transfer uses a partial, what an earlier daemon has left is history")
    func forgotten() throws {
        let partial = try partial()
        #expect(table().note(map, of: partial.of(1)) == .noted)
        let next = table()
        next.transferBegan(JobID(rawValue: 1))
        #expect(surviving(1, partial.path, in: next) == nil)
        // Killed before it noted anything: what there was is still there.
        #expect(surviving(1, partial.path) == map)
        #expect(next.remove(JobID(rawValue: 1)) == .failed)
        #expect(surviving(1, partial.path) == nil)
    }

    @Test("Jobs that wait keep their slots until those under way need them, and those never give them up")
    func slots() throws {
        let partial = try partial()
        let killed = table()
        let count = Int64(SegmentTable.slotCount)
        for number in 1...count { #expect(killed.note(map, of: partial.of(number)) == .noted) }
        #expect(killed.note(map, of: partial.of(1000)) == .failed, "all are in use")
        killed.release(JobID(rawValue: 5))
        #expect(killed.note(map, of: partial.of(1000)) == .noted)
        #expect(killed.note(map, of: partial.of(5)) == .failed)
        let next = table()
        #expect((1...count).filter { surviving($0, partial.path, in: next) == nil } == [5])
        #expect(surviving(1000, partial.path, in: next) == map)
        // Those that nobody needs any more give theirs first.
        next.transferBegan(JobID(rawValue: 200))
        #expect(next.note(map, of: partial.of(2000)) == .noted)
        #expect(next.note(map, of: partial.of(2001)) == .noted, "otherwise one that waits")
        #expect(next.note(SegmentMap(prefix: 3), of: partial.of(1000)) == .noted)
        let last = table()
        #expect((1...count).filter { surviving($0, partial.path, in: last) == nil } == [5, 200, 201])
        #expect(surviving(1000, partial.path)?.text == "0-3")
    }

    @Test("A map of too many ranges is cut, and claims nothing that isn't there")
    func long() throws {
        let partial = try partial()
        var long = SegmentMap()
        let start = Int64.max - 4000
        for number in 0..<Int64(300) { long.insert((start + number * 10)..<(start + number * 10 + 5)) }
        var subject = partial.of(.max)
        (subject.total, subject.device, subject.inode, subject.version) = (.max, .max, .max, .max)
        let line = SegmentTable.line(SegmentTable.Note(subject: subject, map: long))
        #expect(line.count <= SegmentTable.slotLength)
        let cut = try #require(SegmentTable.note(in: line)?.map)
        #expect(cut.ranges.count > 50)
        #expect(cut.ranges == Array(long.ranges.prefix(cut.ranges.count)))
    }

    @Test(
        "Damage costs the slot that it is in, or all where it is in the header, and is no trouble afterwards"
    )
    func damaged() throws {
        let partial = try partial()
        let killed = table()
        for number in 1...3 { #expect(killed.note(map, of: partial.of(Int64(number))) == .noted) }
        let whole = try directory.read("segments")
        for offset in [SegmentTable.slotLength * 2, SegmentTable.slotLength * 2 + 25] {
            var bytes = whole
            bytes[offset] ^= 1
            try directory.write(bytes, to: "segments")
            let next = table()
            #expect((1...3).map { surviving($0, partial.path, in: next) } == [map, nil, map])
            #expect(next.note(map, of: partial.of(2)) == .noted)
            #expect(surviving(2, partial.path) == map)
        }
        for bytes in [[], Array("facefetch segments 2 one\n".utf8), Array(whole[1...]), Array(whole[..<30])] {
            try directory.write(bytes, to: "segments")
            let next = table()
            #expect((1...3).allSatisfy { surviving($0, partial.path, in: next) == nil })
            #expect(next.note(map, of: partial.of(3)) == .noted)
            #expect((1...3).map { surviving($0, partial.path) } == [nil, nil, map])
        }
    }

    /// Fails writes of more than so many bytes.
    private final class Fault: Sendable {
        let longest = Mutex(Int.max)

        func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, _ offset: off_t) -> Int {
            guard bytes.count <= longest.withLock({ $0 }) else {
                errno = ENOSPC
                return -1
            }
            return pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
        }
    }

    @Test("Where a note can't be written, none that was there before is left to be believed")
    func unwritable() throws {
        let partial = try partial()
        let fault = Fault()
        let killed = SegmentTable(path: directory.path("segments"), boot: "one") { fault.write($0, $1, $2) }
        for job in [1, 2] as [Int64] { #expect(killed.note(map, of: partial.of(job)) == .noted) }
        // What others have is left where that can be: a slot that was never written has nothing to remove.
        fault.longest.withLock { $0 = 1 }
        #expect(killed.note(map, of: partial.of(3)) == .failed)
        #expect(killed.note(SegmentMap(prefix: 10), of: partial.of(1)) == .failed)
        #expect((1...3).map { surviving($0, partial.path) } == [nil, map, nil])
        fault.longest.withLock { $0 = 0 }
        #expect(killed.note(map, of: partial.of(3)) == .failed)
        #expect(surviving(2, partial.path) == map)
        #expect(killed.note(SegmentMap(prefix: 10), of: partial.of(1)) == .allLost)
        #expect((1...3).allSatisfy { surviving($0, partial.path) == nil })
        #expect(killed.note(SegmentMap(prefix: 11), of: partial.of(2)) == .allLost)
        fault.longest.withLock { $0 = .max }
        #expect(killed.note(SegmentMap(prefix: 12), of: partial.of(1)) == .noted)
        #expect((1...3).map { surviving($0, partial.path)?.text } == ["0-12", nil, nil])
    }

    @Test("Who can't take over a slot leaves it to the job that had it, and no job gets two")
    func failedTakeover() throws {
        let partial = try partial()
        let fault = Fault()
        let killed = SegmentTable(path: directory.path("segments"), boot: "one") { fault.write($0, $1, $2) }
        let count = Int64(SegmentTable.slotCount)
        for number in 1...count { #expect(killed.note(map, of: partial.of(number)) == .noted) }
        killed.release(JobID(rawValue: 1))
        fault.longest.withLock { $0 = 0 }
        #expect(killed.note(map, of: partial.of(1000)) == .failed)
        fault.longest.withLock { $0 = .max }
        #expect(surviving(1, partial.path) == map)
        // It begins anew, in the slot that it had.
        #expect(killed.note(SegmentMap(prefix: 3), of: partial.of(1)) == .noted)
        #expect(surviving(1, partial.path)?.text == "0-3")
        var bytes = try directory.read("segments")
        let slot = bytes[SegmentTable.slotLength..<2 * SegmentTable.slotLength]
        bytes.replaceSubrange(2 * SegmentTable.slotLength..<3 * SegmentTable.slotLength, with: slot)
        try directory.write(bytes, to: "segments")
        #expect(surviving(1, partial.path) == nil && surviving(3, partial.path) == nil)
    }

    @Test("Where something else has the table's name, nothing of it is harmed")
    func notAFile() throws {
        let partial = try partial()
        let precious = try directory.write(Array("precious".utf8), to: "precious")
        let name = directory.path("segments")
        #expect(symlink(precious, name) == 0)
        #expect(table().note(map, of: partial.of(1)) == .failed)
        #expect(try directory.read("precious") == Array("precious".utf8))
        // The link is gone, since what can't be replaced would be believed later.
        #expect(table().note(map, of: partial.of(1)) == .noted)
        #expect(surviving(1, partial.path) == map)
        #expect(unlink(name) == 0 && mkdir(name, 0o700) == 0)
        #expect(table().note(map, of: partial.of(1)) == .failed)
    }
}
