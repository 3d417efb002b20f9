import CZlib
import Glibc
import JobModel
import Vocabulary

/// The text form of notes.
extension SegmentTable {
    /// The most ranges that a slot has room for, each of two numbers of 19 digits.
    private static let rangeLimit = 96

    /// Returns what the slots of a file say; nil for a file that isn't of this run.
    static func notes(in descriptor: CInt, header: String) -> [(slot: Int, note: Note)]? {
        guard let first = text(at: 0, of: descriptor), first.starts(with: header.utf8) else { return nil }
        var notes: [(slot: Int, note: Note)] = []
        for slot in 0..<slotCount {
            guard let text = text(at: (slot + 1) * slotLength, of: descriptor) else { break }
            if let note = note(in: text) { notes.append((slot, note)) }
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
    /// and inode, the file's length, the checksum of its validator, and the map.
    ///
    /// A map that is too long is cut, which claims less than there is.
    static func line(_ note: Note) -> [UInt8] {
        let subject = note.subject
        var map = note.map
        if map.ranges.count > rangeLimit { map = map.clipped(to: map.ranges[rangeLimit].lowerBound) }
        let text = """
            \(subject.job.rawValue) \(subject.device) \(subject.inode) \(subject.total) \(subject.version) \
            \(map.text)
            """
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
        guard words.count == 6, let job = Int64(words[0]), let device = UInt64(words[1]),
            let inode = UInt64(words[2]), let total = Int64(words[3]), let version = UInt(words[4]),
            let map = SegmentMap(text: String(words[5])), map.end <= total
        else { return nil }
        let subject = Subject(
            job: JobID(rawValue: job),
            device: device,
            inode: inode,
            total: total,
            version: version
        )
        return Note(subject: subject, map: map)
    }

    /// A checksum by which a line is known to be whole, and one version of a file from another (CRC-32, zlib).
    static func checksum(_ text: String) -> UInt {
        Array(text.utf8).withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
    }
}
