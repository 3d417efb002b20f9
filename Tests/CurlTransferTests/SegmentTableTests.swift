import Glibc
import JobCore
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer

/// What a daemon is left by one that was killed.
struct SegmentTableTests {
    private let directory: TemporaryDirectory
    private let map = SegmentMap(text: "0-20,50-80") ?? SegmentMap()

    init() throws { directory = try TemporaryDirectory() }

    private func table(boot: String = "one") -> SegmentTable {
        SegmentTable(path: directory.path("segments"), boot: boot)
    }

    /// Makes a partial, and returns its path and what the file system knows it by.
    private func partial(
        _ name: String = "1.part",
        length: Int = 100
    ) throws -> (path: String, file: SegmentTable.Identity) {
        let path = try directory.write([UInt8](repeating: 7, count: length), to: name)
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return (path, SegmentTable.Identity(status))
    }

    @Test("What was noted last is there after a kill, in the same run of the machine only")
    func survives() throws {
        let (path, file) = try partial()
        let killed = table()
        #expect(killed.note(SegmentMap(text: "0-20,50-60,70-90") ?? map, of: JobID(rawValue: 1), in: file))
        // Shorter than what was there.
        #expect(killed.note(map, of: JobID(rawValue: 1), in: file))
        #expect(killed.surviving(of: JobID(rawValue: 1), at: path) == nil, "it is this daemon's own")
        #expect(table().surviving(of: JobID(rawValue: 1), at: path) == map)
        #expect(table().surviving(of: JobID(rawValue: 2), at: path) == nil)
        #expect(table(boot: "two").surviving(of: JobID(rawValue: 1), at: path) == nil)
    }

    @Test("A run of the machine begins with an empty table")
    func otherRun() throws {
        let (path, file) = try partial()
        #expect(table().note(map, of: JobID(rawValue: 1), in: file))
        let next = table(boot: "two")
        #expect(next.note(map, of: JobID(rawValue: 2), in: file))
        #expect(table(boot: "two").surviving(of: JobID(rawValue: 1), at: path) == nil)
        #expect(table(boot: "two").surviving(of: JobID(rawValue: 2), at: path) == map)
        #expect(table().surviving(of: JobID(rawValue: 1), at: path) == nil)
    }

    @Test("It is of use for the file in which it was written alone, as far as that goes")
    func otherFile() throws {
        let (path, file) = try partial(length: 60)
        #expect(table().note(map, of: JobID(rawValue: 1), in: file))
        #expect(table().surviving(of: JobID(rawValue: 1), at: path)?.text == "0-20,50-60")
        let (other, _) = try partial("2.part")
        #expect(table().surviving(of: JobID(rawValue: 1), at: other) == nil)
        #expect(rename(other, path) == 0)
        #expect(table().surviving(of: JobID(rawValue: 1), at: path) == nil)
        #expect(unlink(path) == 0 && symlink("/dev/null", path) == 0)
        #expect(table().surviving(of: JobID(rawValue: 1), at: path) == nil)
    }

    @Test("From a transfer's first byte on, what an earlier daemon has left is history")
    func forgotten() throws {
        let (path, file) = try partial()
        #expect(table().note(map, of: JobID(rawValue: 1), in: file))
        let next = table()
        next.forget(JobID(rawValue: 1))
        #expect(next.surviving(of: JobID(rawValue: 1), at: path) == nil)
        // Killed before it noted anything: what there was is still there.
        #expect(table().surviving(of: JobID(rawValue: 1), at: path) == map)
    }

    @Test("Jobs that wait keep their slots until those under way need them, and those never give them up")
    func slots() throws {
        let (path, file) = try partial()
        let killed = table()
        let count = SegmentTable.slotCount
        for number in 1...count { #expect(killed.note(map, of: JobID(rawValue: Int64(number)), in: file)) }
        #expect(!killed.note(map, of: JobID(rawValue: 1000), in: file), "all are in use")
        killed.release(JobID(rawValue: 5))
        #expect(killed.note(map, of: JobID(rawValue: 1000), in: file))
        #expect(!killed.note(map, of: JobID(rawValue: 5), in: file))
        let next = table()
        let left = (1...count).filter { next.surviving(of: JobID(rawValue: Int64($0)), at: path) != nil }
        #expect(left == (1...count).filter { $0 != 5 })
        #expect(next.surviving(of: JobID(rawValue: 1000), at: path) == map)
        // Nobody is under way in the next daemon, so there is room.
        #expect(next.note(map, of: JobID(rawValue: 2000), in: file))
        #expect(next.note(SegmentMap(prefix: 3), of: JobID(rawValue: 1000), in: file))
        #expect(table().surviving(of: JobID(rawValue: 1000), at: path)?.text == "0-3")
    }

    @Test("A map of too many ranges is cut, and claims nothing that isn't there")
    func long() throws {
        let (path, file) = try partial(length: 1000)
        var long = SegmentMap()
        let start = Int64.max - 4000
        for number in 0..<Int64(300) { long.insert((start + number * 10)..<(start + number * 10 + 5)) }
        let line = SegmentTable.line(SegmentTable.Note(job: JobID(rawValue: .max), file: file, map: long))
        #expect(line.count <= SegmentTable.slotLength)
        let cut = try #require(SegmentTable.note(in: line)?.map)
        #expect(cut.ranges.count > 50)
        #expect(cut.ranges == Array(long.ranges.prefix(cut.ranges.count)))
        #expect(table().note(map, of: JobID(rawValue: 1), in: file))
        #expect(table().surviving(of: JobID(rawValue: 1), at: path) == map)
    }

    @Test(
        "Damage costs the slot that it is in, or all where it is in the header, and is no trouble afterwards"
    )
    func damaged() throws {
        let (path, file) = try partial()
        let killed = table()
        for number in 1...3 { #expect(killed.note(map, of: JobID(rawValue: Int64(number)), in: file)) }
        let whole = try directory.read("segments")
        let jobs = (1...3).map { JobID(rawValue: Int64($0)) }
        for offset in [SegmentTable.slotLength * 2, SegmentTable.slotLength * 2 + 25] {
            var bytes = whole
            bytes[offset] ^= 1
            try directory.write(bytes, to: "segments")
            let next = table()
            #expect(jobs.map { next.surviving(of: $0, at: path) } == [map, nil, map])
            #expect(next.note(map, of: jobs[1], in: file))
            #expect(table().surviving(of: jobs[1], at: path) == map)
        }
        for bytes in [[], Array("facefetch segments 2 one\n".utf8), Array(whole[1...]), Array(whole[..<30])] {
            try directory.write(bytes, to: "segments")
            let next = table()
            #expect(jobs.allSatisfy { next.surviving(of: $0, at: path) == nil })
            #expect(next.note(map, of: jobs[2], in: file))
            #expect(jobs.map { table().surviving(of: $0, at: path) } == [nil, nil, map])
        }
    }

    @Test("Where a note can't be written, none that was there before is left to be believed")
    func unwritable() throws {
        let (path, file) = try partial()
        let isFull = Mutex(false)
        let killed = SegmentTable(path: directory.path("segments"), boot: "one") {
            descriptor,
            bytes,
            offset in
            if isFull.withLock({ $0 }) {
                errno = ENOSPC
                return -1
            }
            return pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
        }
        let jobs = (1...2).map { JobID(rawValue: Int64($0)) }
        for job in jobs { #expect(killed.note(map, of: job, in: file)) }
        isFull.withLock { $0 = true }
        #expect(!killed.note(SegmentMap(prefix: 10), of: jobs[0], in: file))
        #expect(jobs.allSatisfy { table().surviving(of: $0, at: path) == nil })
        #expect(!killed.note(SegmentMap(prefix: 11), of: jobs[1], in: file))
        isFull.withLock { $0 = false }
        #expect(killed.note(SegmentMap(prefix: 12), of: jobs[0], in: file))
        #expect(jobs.map { table().surviving(of: $0, at: path)?.text } == ["0-12", nil])
    }

    @Test("Where something else has the table's name, nothing is noted and nothing harmed")
    func notAFile() throws {
        let (_, file) = try partial()
        let precious = try directory.write(Array("precious".utf8), to: "precious")
        let name = directory.path("segments")
        #expect(symlink(precious, name) == 0)
        #expect(!table().note(map, of: JobID(rawValue: 1), in: file))
        #expect(try directory.read("precious") == Array("precious".utf8))
        #expect(unlink(name) == 0 && mkdir(name, 0o700) == 0)
        #expect(!table().note(map, of: JobID(rawValue: 1), in: file))
    }
}
