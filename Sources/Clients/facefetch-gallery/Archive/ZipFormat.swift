/// The bytes around the files of a ZIP archive that is written from front to back, with nothing compressed: pictures
/// are already (PKWARE's APPNOTE.TXT 6.3.10; its sections are named below).
///
/// What is known of a file only once it has gone by stands behind it (4.3.9). Of each file only its record for the
/// directory at the end is kept, so an archive may be as large as it likes: beyond 4 GiB it goes by the fields of
/// ZIP64 (4.5.3).
struct ZipFormat: Sendable {
    /// A moment as MS-DOS counts it (4.4.6), in steps of two seconds.
    struct Moment: Hashable, Sendable {
        /// The bits of the time.
        var time: UInt16
        /// The bits of the date.
        var date: UInt16

        /// Creates one of a date and a time of day; before 1980 there is none, and after 2107 neither.
        init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
            time = UInt16(clamping: hour << 11 | minute << 5 | second / 2)
            date = UInt16(clamping: min(max(year - 1980, 0), 127) << 9 | month << 5 | day)
        }
    }

    private struct Entry {
        var name: [UInt8]
        var checksum: UInt32 = 0
        var size: UInt64
        var offset: UInt64
    }

    /// The size from which on 32 bits don't hold it: the highest means that another field has it (4.4.8).
    private static let large = UInt64(UInt32.max)
    /// Bit 3: sizes and checksum stand behind the file; bit 11: names are UTF-8 (4.4.4).
    private static let flags: UInt16 = 1 << 3 | 1 << 11

    private let moment: Moment
    private var entries: [Entry] = []
    private var checksum = CRC32()
    private var written: UInt64 = 0
    private var left: UInt64 = 0

    /// Creates an archive, empty as yet, whose files all have this moment.
    init(moment: Moment) { self.moment = moment }

    /// Begins a file, whose size is known; returns what stands before it (4.3.7).
    mutating func begin(name: String, size: UInt64) -> [UInt8] {
        let entry = Entry(name: Array(name.utf8.prefix(Int(UInt16.max))), size: size, offset: written)
        entries.append(entry)
        checksum = CRC32()
        left = size
        let isLarge = size >= Self.large
        var bytes = Bytes()
        bytes.put(
            UInt32(0x0403_4B50),
            isLarge ? 45 : 20 as UInt16,
            Self.flags,
            0 as UInt16,
            moment.time,
            moment.date
        )
        bytes.put(0 as UInt32)
        bytes.put(isLarge ? UInt32.max : 0, isLarge ? UInt32.max : 0)
        bytes.put(UInt16(entry.name.count), isLarge ? 20 : 0 as UInt16)
        bytes.all += entry.name
        if isLarge { bytes.put(1 as UInt16, 16 as UInt16, 0 as UInt64, 0 as UInt64) }
        written += UInt64(bytes.all.count)
        return bytes.all
    }

    /// Takes down a piece of the file; false if there is more of it than was said.
    mutating func add(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard UInt64(piece.count) <= left else { return false }
        checksum.add(piece)
        left -= UInt64(piece.count)
        written += UInt64(piece.count)
        return true
    }

    /// Ends the file; returns what stands behind it (4.3.9), or nil if there was less of it than was said.
    mutating func end() -> [UInt8]? {
        guard left == 0, let last = entries.indices.last else { return nil }
        entries[last].checksum = checksum.value
        let size = entries[last].size
        var bytes = Bytes()
        bytes.put(UInt32(0x0807_4B50), checksum.value)
        if size >= Self.large { bytes.put(size, size) } else { bytes.put(UInt32(size), UInt32(size)) }
        written += UInt64(bytes.all.count)
        return bytes.all
    }

    /// Returns the directory, which ends the archive (4.3.12 to 4.3.16).
    func directory() -> [UInt8] {
        var bytes = Bytes()
        for entry in entries { put(entry, into: &bytes) }
        let size = UInt64(bytes.all.count)
        let isLarge = written + size >= Self.large || entries.count >= Int(UInt16.max)
        if isLarge {
            bytes.put(UInt32(0x0606_4B50), 44 as UInt64, Self.madeBy, 45 as UInt16, 0 as UInt32, 0 as UInt32)
            bytes.put(UInt64(entries.count), UInt64(entries.count), size, written)
            bytes.put(UInt32(0x0706_4B50), 0 as UInt32, written + size, 1 as UInt32)
        }
        let count = UInt16(clamping: entries.count)
        bytes.put(UInt32(0x0605_4B50), 0 as UInt16, 0 as UInt16, count, count)
        bytes.put(isLarge ? UInt32.max : UInt32(size), isLarge ? UInt32.max : UInt32(written), 0 as UInt16)
        return bytes.all
    }

    /// Unix, whose modes the last bits of an entry are, and version 4.5, which has ZIP64 (4.4.2, 4.4.3).
    private static let madeBy: UInt16 = 3 << 8 | 45
    /// A file that its owner may write, and anybody read.
    private static let mode: UInt32 = 0o100644 << 16

    private func put(_ entry: Entry, into bytes: inout Bytes) {
        let isLarge = entry.size >= Self.large
        let isFar = entry.offset >= Self.large
        let extra = (isLarge ? 16 : 0) + (isFar ? 8 : 0)
        bytes.put(
            UInt32(0x0201_4B50),
            Self.madeBy,
            isLarge || isFar ? 45 : 20 as UInt16,
            Self.flags,
            0 as UInt16
        )
        bytes.put(moment.time, moment.date, entry.checksum)
        bytes.put(UInt32(clamping: entry.size), UInt32(clamping: entry.size))
        bytes.put(
            UInt16(entry.name.count),
            UInt16(extra > 0 ? extra + 4 : 0),
            0 as UInt16,
            0 as UInt16,
            0 as UInt16
        )
        bytes.put(Self.mode, UInt32(clamping: entry.offset))
        bytes.all += entry.name
        guard extra > 0 else { return }
        bytes.put(1 as UInt16, UInt16(extra))
        if isLarge { bytes.put(entry.size, entry.size) }
        if isFar { bytes.put(entry.offset) }
    }
}

/// Numbers as ZIP has them: the lowest byte first.
private struct Bytes {
    var all: [UInt8] = []

    mutating func put<each Number: FixedWidthInteger>(_ numbers: repeat each Number) {
        for number in repeat each numbers {
            withUnsafeBytes(of: number.littleEndian) { all += $0 }
        }
    }
}

/// The checksum of ZIP (APPNOTE.TXT 4.4.7): CRC-32 with the polynomial of IEEE 802.3, bits reversed.
struct CRC32: Sendable {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    private var sum: UInt32 = 0xFFFF_FFFF

    /// The checksum of all bytes so far.
    var value: UInt32 { ~sum }

    /// Takes further bytes into account.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        sum = Self.table.withUnsafeBufferPointer { table in
            var sum = sum
            for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
            return sum
        }
    }
}
