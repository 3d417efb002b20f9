import Glibc
import JobCore

/// The end of the event log's file, compared with what the store has kept.
struct EventLogTail {
    private let descriptor: CInt
    private let rotated: RotatedLogs.Newest

    /// Events that are read from the store at a time.
    private static let readLimit = 5000
    /// Lines that are compared, where one alone may stand there more than once.
    private static let comparedLines = 8

    init(descriptor: CInt, rotated: RotatedLogs.Newest = .none) {
        self.descriptor = descriptor
        self.rotated = rotated
    }

    /// Removes a last line without a line feed: a crash cut it off, and it will be appended whole.
    ///
    /// So is one that says how many events are missing, where none of those that follow came after it.
    func removeTornLine() {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size > 0 else { return }
        let end = Self.read(descriptor, last: JobEvent.maximumLineLength * 2, of: size)
        var kept = end[...]
        if kept.last != 0x0A { kept = kept[..<(kept.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)] }
        let last = kept.dropLast().lastIndex(of: 0x0A).map { kept[($0 + 1)...] } ?? kept
        if Self.isGap(String(decoding: last, as: UTF8.self)) { kept = kept[..<last.startIndex] }
        if kept.count < end.count { _ = ftruncate(descriptor, size - off_t(end.count - kept.count)) }
    }

    /// The one line that stands for events which the store had to let go before the file could take them.
    static func gap(of count: Int64, before event: JobEvent) -> String {
        let words = count == 1 ? "1 event is" : "\(count) events are"
        return
            "\(event.time.wall.rfc3339) - - - \(words) missing here: the event log could not be written for too long"
    }

    private static func isGap(_ line: String) -> Bool {
        line.split(separator: " ", maxSplits: 4).dropFirst().prefix(3) == ["-", "-", "-"]
    }

    /// The id of the event that the file ends with: those after it are missing.
    ///
    /// Where the file is empty because it was rotated, the rotated file's end counts; where there is
    /// none, everything is missing. Of one that can't be read it is nil.
    func lastEvent(in history: any EventHistory) throws -> Int64? {
        var lines = lastLines(of: descriptor)
        if lines.isEmpty {
            switch rotated {
            case .none: break
            case .plain(let path): lines = lastLines(of: path)
            case .unreadable: return nil
            }
        }
        guard let last = lines.last else {
            // All that is kept is missing, and what is not kept was written by nobody knows whom.
            return try history.keptEvents(after: 0, limit: 1).first.map { $0.id - 1 } ?? 0
        }
        let job = Self.job(of: last)
        // The newest of those whose line is the last one. What is missing is at the end, so the search
        // begins there.
        var upper = Int64.max
        var later: [JobEvent] = []
        while true {
            let page = try history.keptEvents(upTo: upper, limit: Self.readLimit)
            guard let first = page.first else { break }
            let events = page + later
            let matches = page.indices.filter {
                (job == nil || page[$0].job.rawValue == job) && page[$0].logLine == last
            }
            if let best = Self.best(of: matches, in: events, lines) { return events[best].id }
            later = Array(page.prefix(Self.comparedLines))
            upper = first.id - 1
        }
        // Older than all that is kept, or somebody else's line: go by the time in front.
        return try lastEvent(before: last.prefix { $0 != " " }, in: history)
    }

    /// Of several places where the last line would fit, that which most of the lines before fit as well.
    private static func best(of matches: [Int], in events: [JobEvent], _ lines: [String]) -> Int? {
        func agreement(_ index: Int) -> Int {
            zip(events[...index].reversed(), lines.reversed()).prefix { $0.0.logLine == $0.1 }.count
        }
        guard matches.count > 1 else { return matches.first }
        // The newest of those that fit equally well.
        return matches.reversed().max { agreement($0) < agreement($1) }
    }

    /// The last event before a time in a line.
    ///
    /// What came after the wall clock was set back is later than any line, whatever its time says:
    /// rather a line twice than none.
    private func lastEvent(before time: Substring, in history: any EventHistory) throws -> Int64 {
        var last = try history.keptEvents(after: 0, limit: 1).first.map { $0.id - 1 } ?? 0
        var before: Timestamp?
        while true {
            let page = try history.keptEvents(after: last, limit: Self.readLimit)
            guard let end = page.last else { return last }
            for event in page {
                let wall = event.time.wall
                if wall.rfc3339 > time { return event.id - 1 }
                // Clocks that are kept in time go back by less.
                if let before, wall.seconds(since: before) < -1 { return event.id - 1 }
                before = wall
            }
            last = end.id
        }
    }

    /// The job's number in a line: `TIME b1 j3 …`.
    private static func job(of line: String) -> Int64? {
        let words = line.split(separator: " ", maxSplits: 3)
        return words.count > 2 && words[2].first == "j" ? Int64(words[2].dropFirst()) : nil
    }

    private func lastLines(of path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return lastLines(of: descriptor)
    }

    private func lastLines(of descriptor: CInt) -> [String] {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size > 0 else { return [] }
        let end = Self.read(descriptor, last: JobEvent.maximumLineLength * 2, of: size)
        return end.split(separator: 0x0A).suffix(Self.comparedLines).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func read(_ descriptor: CInt, last count: Int, of size: off_t) -> [UInt8] {
        let start = max(0, size - off_t(count))
        return [UInt8](unsafeUninitializedCapacity: Int(size - start)) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, start))
        }
    }
}
