import JobCore

/// Events of one row: a line each, fields separated by tabs, the kind first.
///
/// A text of our own rather than JSON, because this is written for every file: encoding one costs
/// a fraction of a microsecond. Steps of progress that follow each other share a line. The row has
/// the time of its last event; a line of an earlier one begins with how many microseconds that was
/// before, with a minus sign (no kind begins so), by the wall clock, and after a comma by the steady
/// clock where that is another number.
enum EventText {
    /// Appends the text of a row, as UTF-8.
    static func encode(_ events: ArraySlice<JobEvent>, into text: inout [UInt8]) {
        guard let time = events.last?.time else { return }
        var index = events.startIndex
        while index < events.endIndex {
            if index > events.startIndex { text.append(0x0A) }
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
                append(fields(events[index].kind), to: &text)
                index += 1
            }
        }
    }

    /// Where the steps of ten percent end that begin here, if any do.
    private static func endOfProgress(_ events: ArraySlice<JobEvent>, from start: Int) -> Int {
        guard case .progressed(let name, var percent) = events[start].kind else { return start }
        var end = start + 1
        while end < events.endIndex, events[end].time == events[start].time,
            case .progressed(name, percent + 10) = events[end].kind
        {
            percent += 10
            end += 1
        }
        return end
    }

    private static func fields(_ kind: JobEvent.Kind) -> [String] {
        switch kind {
        case .started(let url): ["started", url]
        case .progressed(let name, let percent): ["progressed", name, String(percent)]
        case .received(let name, let bytes): ["received", name, String(bytes)]
        case .resumed(let name, let offset, let total):
            ["resumed", name, String(offset), total.map { String($0) } ?? ""]
        case .restarted(let name, let reason): ["restarted", name, reason]
        case .finished(let url, let path): ["finished", url, path]
        case .stored(let name, let path): ["stored", name, path]
        case .waiting(let name, let until, let reason):
            ["waiting", name, String(until.microseconds), reason.code.rawValue, reason.message]
        case .failed(let url, let failure): ["failed", url, failure.code.rawValue, failure.message]
        case .paused(let name): ["paused", name]
        case .continued(let name): ["continued", name]
        case .cancelled(let name): ["cancelled", name]
        case .detectionStarted(let name): ["detection_started", name]
        case .detectionFinished(let name, let count, let origin):
            ["detection_finished", name, String(count)] + field(origin)
        case .detectionDeferred(let name): ["detection_deferred", name]
        case .detectionFailed(let name, let outcome, let origin):
            ["detection_failed", name, outcome.rawValue] + field(origin)
        }
    }

    /// The field of a shared result is only there where there is one, as it was not always.
    private static func field(_ origin: JobID?) -> [String] { origin.map { [String($0.rawValue)] } ?? [] }

    /// The events of a line, and how many microseconds from the row's time they happened by both
    /// clocks; none when it can't have been written by us.
    static func decode(
        _ line: Substring
    ) -> (before: (wall: Int64, steady: Int64), kinds: [JobEvent.Kind]) {
        guard line.utf8.first == UInt8(ascii: "-"), let tab = line.utf8.firstIndex(of: 0x09) else {
            return ((0, 0), kinds(line))
        }
        let numbers = line[..<tab].split(separator: ",", maxSplits: 1).map { Int64($0) }
        guard let wall = numbers.first ?? nil, let steady = numbers.last ?? nil else {
            return ((0, 0), kinds(line))
        }
        return ((wall, steady), kinds(line[tab...].dropFirst()))
    }

    private static func kinds(_ line: Substring) -> [JobEvent.Kind] {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(unescaped)
        func field(_ index: Int) -> String { index < fields.count ? fields[index] : "" }
        if fields.first == "progressed", let first = Int(field(2)), let last = Int(field(3)),
            first >= 0, first < last
        {
            return stride(from: first, through: min(last, 100), by: 10)
                .map { .progressed(name: field(1), percent: $0) }
        }
        return kind(fields.first ?? "", field).map { [$0] } ?? []
    }

    private static func kind(_ name: String, _ field: (Int) -> String) -> JobEvent.Kind? {
        switch name {
        case "started": .started(url: field(1))
        case "progressed": Int(field(2)).map { .progressed(name: field(1), percent: $0) }
        case "received": Int64(field(2)).map { .received(name: field(1), bytes: $0) }
        case "resumed":
            Int64(field(2)).map { .resumed(name: field(1), offset: $0, total: Int64(field(3))) }
        case "restarted": .restarted(name: field(1), reason: field(2))
        case "finished": .finished(url: field(1), partialPath: field(2))
        case "stored": .stored(name: field(1), path: field(2))
        case "waiting":
            Int64(field(2)).map {
                .waiting(
                    name: field(1),
                    until: Timestamp(stored: $0),
                    reason: JobFailure(FailureCode(rawValue: field(3)), field(4))
                )
            }
        case "failed": .failed(url: field(1), failure: JobFailure(FailureCode(rawValue: field(2)), field(3)))
        case "paused": .paused(name: field(1))
        case "continued": .continued(name: field(1))
        case "cancelled": .cancelled(name: field(1))
        case "detection_started": .detectionStarted(name: field(1))
        case "detection_finished":
            Int(field(2)).map {
                .detectionFinished(name: field(1), faceCount: $0, sharedFrom: job(field(3)))
            }
        case "detection_deferred": .detectionDeferred(name: field(1))
        case "detection_failed":
            DetectionOutcome(rawValue: field(2)).map {
                .detectionFailed(name: field(1), outcome: $0, sharedFrom: job(field(3)))
            }
        default: nil
        }
    }

    private static func job(_ field: String) -> JobID? { Int64(field).map { JobID(rawValue: $0) } }

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
