import JobCore

/// Events of one row: a line each, fields separated by tabs, the kind first.
///
/// A text of our own rather than JSON, because this is written for every
/// file: encoding one costs a microsecond.
enum EventText {
    static func encode(_ kind: JobEvent.Kind) -> String {
        switch kind {
        case .started(let url): join("started", url)
        case .progressed(let name, let percent): join("progressed", name, String(percent))
        case .received(let name, let bytes): join("received", name, String(bytes))
        case .resumed(let name, let offset, let total):
            join("resumed", name, String(offset), total.map { String($0) } ?? "")
        case .restarted(let name, let reason): join("restarted", name, reason)
        case .finished(let url, let path): join("finished", url, path)
        case .stored(let name, let path): join("stored", name, path)
        case .waiting(let name, let until, let reason):
            join("waiting", name, String(until.microseconds), reason.code.rawValue, reason.message)
        case .failed(let url, let failure): join("failed", url, failure.code.rawValue, failure.message)
        case .paused(let name): join("paused", name)
        case .continued(let name): join("continued", name)
        case .cancelled(let name): join("cancelled", name)
        case .detectionStarted(let name): join("detection_started", name)
        case .detectionFinished(let name, let count, let origin):
            joined("detection_finished", name, String(count), origin)
        case .detectionDeferred(let name): join("detection_deferred", name)
        case .detectionFailed(let name, let outcome, let origin):
            joined("detection_failed", name, outcome.rawValue, origin)
        }
    }

    /// The field of a shared result is only there where there is one, as it was not always.
    private static func joined(_ kind: String, _ name: String, _ result: String, _ origin: JobID?) -> String {
        guard let origin else { return join(kind, name, result) }
        return join(kind, name, result, String(origin.rawValue))
    }

    /// Nil when the line can't have been written by us.
    static func decode(_ line: Substring) -> JobEvent.Kind? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(unescaped)
        func field(_ index: Int) -> String { index < fields.count ? fields[index] : "" }
        switch fields.first {
        case "started": return .started(url: field(1))
        case "progressed": return Int(field(2)).map { .progressed(name: field(1), percent: $0) }
        case "received": return Int64(field(2)).map { .received(name: field(1), bytes: $0) }
        case "resumed":
            return Int64(field(2)).map { .resumed(name: field(1), offset: $0, total: Int64(field(3))) }
        case "restarted": return .restarted(name: field(1), reason: field(2))
        case "finished": return .finished(url: field(1), partialPath: field(2))
        case "stored": return .stored(name: field(1), path: field(2))
        case "waiting":
            return Int64(field(2)).map {
                .waiting(
                    name: field(1),
                    until: Timestamp(microseconds: $0),
                    reason: JobFailure(FailureCode(rawValue: field(3)), field(4))
                )
            }
        case "failed":
            return .failed(url: field(1), failure: JobFailure(FailureCode(rawValue: field(2)), field(3)))
        case "paused": return .paused(name: field(1))
        case "continued": return .continued(name: field(1))
        case "cancelled": return .cancelled(name: field(1))
        case "detection_started": return .detectionStarted(name: field(1))
        case "detection_finished":
            return Int(field(2)).map {
                .detectionFinished(name: field(1), faceCount: $0, sharedFrom: job(field(3)))
            }
        case "detection_deferred": return .detectionDeferred(name: field(1))
        case "detection_failed":
            return DetectionOutcome(rawValue: field(2)).map {
                .detectionFailed(name: field(1), outcome: $0, sharedFrom: job(field(3)))
            }
        default: return nil
        }
    }

    private static func job(_ field: String) -> JobID? { Int64(field).map { JobID(rawValue: $0) } }

    private static func join(_ fields: String...) -> String {
        var line = ""
        for (index, field) in fields.enumerated() {
            if index > 0 { line += "\t" }
            line += escaped(field)
        }
        return line
    }

    private static func escaped(_ field: String) -> String {
        guard field.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x5C }) else { return field }
        var escaped = ""
        for scalar in field.unicodeScalars {
            switch scalar {
            case "\t": escaped += "\\t"
            case "\n": escaped += "\\n"
            case "\\": escaped += "\\\\"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
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
