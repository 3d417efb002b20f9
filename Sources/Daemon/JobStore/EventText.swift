import JobModel
import Vocabulary

/// The events of one row as text: a line for each, with fields separated by tabs and the kind first.
///
/// It is a format of our own rather than JSON, because it is written for every file: encoding an event
/// takes a fraction of a microsecond. Consecutive steps of progress share a line. The row has the time
/// of its last event, and the job of its first. The line of an event of a later job begins with the number
/// of jobs between, with a plus sign. The line of an event at an earlier time goes on with the microseconds
/// before that of the row, with a minus sign: by the wall clock, and after a comma by the steady clock if
/// that differs. No kind begins with a sign.
enum EventText {
    /// Appends the text of a row, as UTF-8.
    static func encode(_ events: ArraySlice<JobEvent>, into text: inout [UInt8]) {
        guard let time = events.last?.time, let job = events.first?.job else { return }
        var index = events.startIndex
        while index < events.endIndex {
            if index > events.startIndex { text.append(0x0A) }
            if events[index].job != job {
                text.append(0x2B)
                text.append(contentsOf: "\(events[index].job.rawValue - job.rawValue)\t".utf8)
            }
            let wall = events[index].time.wall.microseconds - time.wall.microseconds
            let steady = events[index].time.steady.microseconds - time.steady.microseconds
            if wall != 0 || steady != 0 {
                let before = wall == steady ? "\(wall)" : "-\(wall.magnitude),\(steady)"
                text.append(contentsOf: before.utf8)
                text.append(0x09)
            }
            let end = endOfProgress(events, from: index)
            if end > index + 1, case .progressed(let name, let first) = events[index].kind,
                case .progressed(_, let last) = events[end - 1].kind
            {
                append(["progressed", name, String(first), String(last)], to: &text)
                index = end
            } else {
                append(fields(events[index].kind.parts), to: &text)
                index += 1
            }
        }
    }

    /// Returns the end of the consecutive steps of ten percent that begin at `start`; `start` itself if
    /// there are none.
    private static func endOfProgress(_ events: ArraySlice<JobEvent>, from start: Int) -> Int {
        guard case .progressed(let name, var percent) = events[start].kind else { return start }
        var end = start + 1
        while end < events.endIndex, events[end].time == events[start].time,
            events[end].job == events[start].job,
            case .progressed(name, percent + 10) = events[end].kind
        {
            percent += 10
            end += 1
        }
        return end
    }

    /// Returns an event's fields, without unknown ones at the end; others are empty.
    private static func fields(_ parts: JobEvent.Parts) -> [String] {
        var texts = [parts.word.rawValue]
        var known = 1
        for field in parts.word.fields {
            let text = parts[field]
            texts.append(text ?? "")
            if text != nil { known = texts.count }
        }
        return Array(texts.prefix(known))
    }

    /// The events of a line.
    struct Line {
        /// The distance of its job from the row's first one, in jobs.
        var jobsAfter: Int64 = 0
        /// The microseconds before the row's time, negative, by both clocks.
        var before: (wall: Int64, steady: Int64) = (0, 0)
        /// The kinds of events in the line; empty if this program can't have written it.
        var kinds: [JobEvent.Kind]
    }

    /// Reads a line of a row's text.
    static func decode(_ line: Substring) -> Line {
        var rest = line
        var result = Line(kinds: [])
        if let field = signed(UInt8(ascii: "+"), at: &rest) {
            guard let jobs = Int64(field) else { return result }
            result.jobsAfter = jobs
        }
        if let field = signed(UInt8(ascii: "-"), at: &rest) {
            let clocks = field.split(separator: ",", maxSplits: 1).map { Int64($0) }
            guard let wall = clocks.first ?? nil, let steady = clocks.last ?? nil else { return result }
            result.before = (wall, steady)
        }
        result.kinds = kinds(rest)
        return result
    }

    /// Removes the first field of a line if it begins with this sign, and returns it.
    private static func signed(_ sign: UInt8, at line: inout Substring) -> Substring? {
        guard line.utf8.first == sign, let tab = line.utf8.firstIndex(of: 0x09) else { return nil }
        defer { line = line[tab...].dropFirst() }
        return line[..<tab]
    }

    private static func kinds(_ line: Substring) -> [JobEvent.Kind] {
        let fields = parts(of: line, at: 0x09).map(unescaped)
        func field(_ index: Int) -> String { index < fields.count ? fields[index] : "" }
        if fields.first == "progressed", let first = Int(field(2)), let last = Int(field(3)),
            first >= 0, first < last
        {
            return stride(from: first, through: min(last, 100), by: 10)
                .map { .progressed(name: field(1), percent: $0) }
        }
        guard let word = fields.first.flatMap(EventWord.init(rawValue:)) else { return [] }
        var parts = JobEvent.Parts(word)
        for (name, text) in zip(word.fields, fields.dropFirst()) { parts[name] = text }
        return JobEvent.Kind(parts).map { [$0] } ?? []
    }

    private static func append(_ fields: [String], to text: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { text.append(0x09) }
            guard field.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x5C }) else {
                text.append(contentsOf: field.utf8)
                continue
            }
            for byte in field.utf8 {
                switch byte {
                case 0x09: text += [0x5C, UInt8(ascii: "t")]
                case 0x0A: text += [0x5C, UInt8(ascii: "n")]
                case 0x5C: text += [0x5C, 0x5C]
                default: text.append(byte)
                }
            }
        }
    }

    /// Cuts a text at each of these bytes.
    ///
    /// By characters, a carriage return and the end of its line would be one, and no end.
    static func parts(of text: Substring, at separator: UInt8) -> [Substring] {
        text.utf8.split(separator: separator, omittingEmptySubsequences: false).map(Substring.init)
    }

    private static func unescaped(_ field: Substring) -> String {
        guard field.utf8.contains(0x5C) else { return String(field) }
        var plain = ""
        var isEscaped = false
        for scalar in field.unicodeScalars {
            switch (isEscaped, scalar) {
            case (true, "t"): plain += "\t"
            case (true, "n"): plain += "\n"
            case (false, "\\"):
                isEscaped = true
                continue
            default: plain.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        return plain
    }
}
