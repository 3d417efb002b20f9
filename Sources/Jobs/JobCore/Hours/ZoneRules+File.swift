/// Reading the files in which tz publishes its zones (TZif, RFC 9636).
extension ZoneRules {
    /// The size of a header in bytes (RFC 9636 §3.1).
    private static let headerSize = 44

    /// Reads a zone's file; nil if it isn't one, or counts leap seconds, as no clock of ours does.
    public init?(file bytes: [UInt8]) {
        guard let old = Header(bytes, at: 0) else { return nil }
        // Since version 2, everything comes a second time, with times of 64 bits, and a rule follows.
        var (header, start, width) = (old, Self.headerSize, 4)
        if old.version > 0 {
            let second = Self.headerSize + old.length(timesOf: 4)
            guard let newer = Header(bytes, at: second) else { return nil }
            (header, start, width) = (newer, second + Self.headerSize, 8)
        }
        let end = start + header.length(timesOf: width)
        guard header.leapSeconds == 0, header.types > 0, end <= bytes.count else { return nil }
        let kinds = start + header.changes * width
        let types = kinds + header.changes
        let offsets = (0..<header.types).map {
            Int32(truncatingIfNeeded: bytes.integer(at: types + 6 * $0, 4))
        }
        var (changes, after) = ([Int64](), [offsets[0]])
        for index in 0..<header.changes {
            let (time, kind) = (bytes.integer(at: start + index * width, width), Int(bytes[kinds + index]))
            guard kind < offsets.count, changes.last.map({ $0 < time }) ?? true else { return nil }
            changes.append(time)
            after.append(offsets[kind])
        }
        let day: Int32 = 86_400
        guard after.allSatisfy({ (-7 * day...7 * day).contains($0) }) else { return nil }
        let rule =
            width == 8 ? String(decoding: bytes[end...].dropFirst().prefix { $0 != 10 }, as: UTF8.self) : ""
        let yearly = YearlyClockRule(rule)
        // A rule that can't be read would be wrong from some day on, without anyone noticing.
        guard yearly != nil || rule.isEmpty else { return nil }
        self.init(changes: changes, offsets: after, yearly: yearly)
    }

    /// A file's header, which gives the lengths of its parts.
    private struct Header {
        var version: Int
        var (marks, leapSeconds, changes, types, letters) = (0, 0, 0, 0, 0)

        /// The largest count that is believed: a file of a zone has some hundreds of changes.
        private static let limit: Int64 = 100_000

        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count >= start + ZoneRules.headerSize,
                bytes[start..<start + 4].elementsEqual("TZif".utf8)
            else { return nil }
            version = bytes[start + 4] == 0 ? 0 : 2
            let counts = (0..<6).map { bytes.integer(at: start + 20 + 4 * $0, 4) }
            guard counts.allSatisfy({ (0...Self.limit).contains($0) }) else { return nil }
            marks = Int(counts[0] + counts[1])
            (leapSeconds, changes) = (Int(counts[2]), Int(counts[3]))
            (types, letters) = (Int(counts[4]), Int(counts[5]))
        }

        /// The length in bytes of what follows the header, with times of this width.
        func length(timesOf width: Int) -> Int {
            changes * (width + 1) + types * 6 + letters + leapSeconds * (width + 4) + marks
        }
    }
}

extension [UInt8] {
    /// Reads a signed integer, the most significant byte first.
    fileprivate func integer(at start: Int, _ width: Int) -> Int64 {
        let bits = self[start..<start + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return width == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }
}
