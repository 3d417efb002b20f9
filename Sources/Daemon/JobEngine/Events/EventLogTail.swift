import Glibc
import JobModel
import Vocabulary

/// Compares the end of the event log's file with the events in the store.
struct EventLogTail {
    private let descriptor: CInt
    private let rotated: RotatedLogs.Newest

    /// The number of events read from the store at a time.
    private static let readLimit = 1000
    /// The number of lines compared when a single one is ambiguous.
    private static let comparedLines = 8

    init(descriptor: CInt, rotated: RotatedLogs.Newest = .none) {
        self.descriptor = descriptor
        self.rotated = rotated
    }

    /// Removes a last line without a line feed, which was cut off by a crash and will be appended in
    /// full.
    ///
    /// A last line that says how many events are missing is removed as well, if no event follows it.
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

    /// Returns the line that stands for events which the store had to delete before they could be
    /// written.
    static func gap(of count: Int64, before event: JobEvent) -> String {
        let words = count == 1 ? "1 event is" : "\(count) events are"
        return
            "\(event.time.wall.rfc3339) - - - \(words) missing here: the event log could not be written for too long"
    }

    private static func isGap(_ line: String) -> Bool {
        line.split(separator: " ", maxSplits: 4).dropFirst().prefix(3) == ["-", "-", "-"]
    }

    /// Returns the id of the event that the file ends with, after which events are missing.
    ///
    /// If the file is empty because it was rotated, the end of the rotated file counts; if there is
    /// none, everything is missing. Nil if that file can't be read.
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
            // Everything kept is missing, and nothing is known about older events.
            return try history.keptEvents(after: 0, limit: 1).first.map { $0.id - 1 } ?? 0
        }
        let job = Self.job(of: last)
        // Finds the newest event whose line equals the last one. Missing events are at the end, so the
        // search begins there.
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
        // The line is older than all events kept, or not ours: its time has to do.
        return try lastEvent(before: last.prefix { $0 != " " }, in: history)
    }

    /// Returns the one of several possible places of the last line at which most of the lines before it
    /// match as well.
    private static func best(of matches: [Int], in events: [JobEvent], _ lines: [String]) -> Int? {
        func agreement(_ index: Int) -> Int {
            zip(events[...index].reversed(), lines.reversed()).prefix { $0.0.logLine == $0.1 }.count
        }
        guard matches.count > 1 else { return matches.first }
        // The newest among equals.
        return matches.reversed().max { agreement($0) < agreement($1) }
    }

    /// Returns the last event before the time given in a line.
    ///
    /// Events after a setback of the wall clock count as later than any line, whatever their time: a
    /// duplicate line is better than a missing one.
    private func lastEvent(before time: Substring, in history: any EventHistory) throws -> Int64 {
        var last = try history.keptEvents(after: 0, limit: 1).first.map { $0.id - 1 } ?? 0
        var before: Timestamp?
        while true {
            let page = try history.keptEvents(after: last, limit: Self.readLimit)
            guard let end = page.last else { return last }
            for event in page {
                let wall = event.time.wall
                if wall.rfc3339 > time { return event.id - 1 }
                // Corrections by time synchronization are smaller.
                if let before, wall.seconds(since: before) < -1 { return event.id - 1 }
                before = wall
            }
            last = end.id
        }
    }

    /// Returns the job's number in a line such as `TIME b1 j3 …`.
    private static func job(of line: String) -> Int64? {
        let words = line.split(separator: " ", maxSplits: 3)
        guard words.count > 2, words[2].first == JobID.letter else { return nil }
        return JobID(String(words[2]))?.rawValue
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
