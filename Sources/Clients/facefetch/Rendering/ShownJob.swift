import ControlAPI
import FoundationEssentials
import Vocabulary

/// Formats everything about one job.
enum ShownJob {
    /// Returns the lines to print, each beginning with its label.
    ///
    /// `holds` are what keeps downloads from being begun, for a job that waits for its turn.
    static func lines(_ job: JobJSON, holds: [StatusJSON.Hold] = []) -> [String] {
        var lines: [(label: String, text: String)] = [
            ("Job", "\(JobID(job.id)) of batch \(BatchID(job.batch))"),
            ("State", state(job)),
            ("Name", job.name),
            ("URL", job.url),
            ("Document", document(job)),
            ("Size", size(job)),
        ]
        // Once there is a document, its path has it.
        if job.path == nil, let folder = job.folder { lines.insert(("Folder", folder), at: 3) }
        if let error = job.error { lines.insert(("What to do", Remedy.sentence(error.code)), at: 2) }
        if job.state == .queued {
            let holds = holds.filter { $0.concerns(job.url) }
            lines.insert(contentsOf: holds.map { ("Held up", StatusPage.hold($0)) }, at: 2)
        }
        if let response = job.response {
            if response.finalURL != job.url { lines.append(("Came from", response.finalURL)) }
            lines.append(("Answer", answer(response)))
        }
        if let sum = job.sha256 { lines.append(("SHA-256", sum)) }
        if let sum = job.expectedSHA256, sum != job.sha256 { lines.append(("Expected", "SHA-256 \(sum)")) }
        if let detection = job.detection {
            if let picture = picture(detection) { lines.append(("Picture", picture)) }
            lines.append(("Faces", faces(detection)))
            for (index, face) in detection.faces.enumerated() {
                lines.append(("", box(face, number: index + 1)))
            }
        }
        let limit = job.rateLimit.map { ", at most \(Quantities.rate(Double($0)))" } ?? ""
        let weight = job.weight.map { ", weight \($0)" } ?? ""
        lines.append(("Transfers", "\(job.attempts) begun, priority \(job.priority)\(weight)\(limit)"))
        if let source = job.source {
            lines.append(("Source", source + (job.itemKey.map { ", item \($0)" } ?? "")))
        }
        for (index, member) in (job.meta?.members ?? []).enumerated() {
            lines.append((index == 0 ? "Meta" : "", "\(member.name)=\(member.text)"))
        }
        var others = OtherMembers()
        job.visit(&others)
        lines += others.lines
        lines.append(("Added", LocalTime.full(job.createdAt)))
        if let end = job.finishedAt {
            lines.append(("Ended", "\(LocalTime.full(end)), \(Quantities.elapsed(job.elapsed)) s after that"))
        }
        return lines.map { "\($0.label.padded(to: max(11, $0.label.count + 1)))\($0.text.safeForTerminal)" }
    }

    private static func state(_ job: JobJSON) -> String {
        if let waiting = job.waiting {
            let code = waiting.code.map { ", \($0)" } ?? ""
            return "\(job.state.text) until \(LocalTime.full(waiting.until))\(code): \(waiting.reason)"
        }
        if let error = job.error { return "\(job.state.text), \(error.code): \(error.message)" }
        guard job.state == .downloading, let rate = job.bytesPerSecond else { return job.state.text }
        return "\(job.state.text) at \(Quantities.rate(rate))"
    }

    private static func document(_ job: JobJSON) -> String {
        if let path = job.path { return path + (job.isPinned == true ? ", pinned" : "") }
        guard let evicted = job.evictedAt else { return "not stored yet" }
        return "removed on \(LocalTime.full(evicted)); facefetch retry fetches it again"
    }

    private static func size(_ job: JobJSON) -> String {
        guard let total = job.totalBytes else { return "\(amount(job.bytes)) so far, length unknown" }
        guard total != job.bytes else { return amount(total) + proof(job) }
        return "\(amount(job.bytes)) of \(amount(total)), \(job.percent ?? 0)%"
    }

    private static func answer(_ response: JobJSON.ResponseJSON) -> String {
        let parts = [
            "\(response.status)", response.contentType,
            response.lastModified.map { "last changed on \(LocalTime.full($0))" },
            response.etag.map { "version \($0)" }, response.robots.map { "X-Robots-Tag \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// Returns words for how the length is known.
    private static func proof(_ job: JobJSON) -> String {
        job.length?.known == .unproven
            ? ", of unproven length: only the end of the connection showed where it ends"
            : ""
    }

    private static func amount(_ count: Int64) -> String {
        count < 1000 ? "\(count) B" : "\(Quantities.bytes(count)) (\(Quantities.grouped(Int(count))) B)"
    }

    private static func picture(_ detection: DetectionJSON) -> String? {
        guard let width = detection.width, let height = detection.height else { return nil }
        let format = detection.format.map { ", \($0)" } ?? ""
        let turned = detection.orientation.map { $0 == 1 ? "" : ", orientation \($0)" } ?? ""
        let damage = detection.damaged == true ? ", damaged: faces may be missing" : ""
        let likeness = detection.fingerprint.map { ", fingerprint \($0)" } ?? ""
        let lying = detection.turned.map { ", faces seen when turned by \($0)°" } ?? ""
        return "\(width)×\(height) pixels\(format)\(turned)\(damage)\(likeness)\(lying)"
    }

    private static func faces(_ detection: DetectionJSON) -> String {
        let count = detection.faceCount.map(String.init) ?? detection.outcome.text
        let origin = detection.sharedFrom.map { ", the same bytes as in job \(JobID($0))" } ?? ""
        let seconds = Quantities.fixed(detection.seconds, digits: 3)
        let sizes = detection.looks ?? []
        let looks = sizes.isEmpty ? "" : " at \(list(sizes)) pixels"
        let reason = detection.reason.map { ": it \($0)" } ?? ""
        return
            "\(count)\(reason) (\(detection.engine.text)\(looks), \(detection.parameters), \(seconds) s\(origin))"
    }

    /// Numbers as in a sentence: `640, 1280 and 2560`.
    private static func list(_ numbers: [Int]) -> String {
        guard let last = numbers.last, numbers.count > 1 else { return numbers.map(String.init).joined() }
        return numbers.dropLast().map(String.init).joined(separator: ", ") + " and \(last)"
    }

    private static func box(_ face: Face, number: Int) -> String {
        """
        \(number): \(face.width)×\(face.height) at \(face.x),\(face.y), \
        confidence \(Quantities.fixed(face.confidence, digits: 2))
        """
    }
}

/// Members of a job for which there are no words: each is a line under its own name.
struct OtherMembers: MemberVisitor {
    /// The members that ``ShownJob`` has words for, or that are of no use to people.
    static let told: Set<String> = [
        "attempts", "batch", "bytes", "bytes_per_second", "created_at", "detection", "elapsed", "ended",
        "ending", "error", "evicted_at", "expected_sha256", "finished_at", "folder", "id", "item_key",
        "length", "meta", "name", "path", "percent", "pinned", "priority", "rate_limit", "response", "sha256",
        "source", "state", "total_bytes", "url", "waiting", "weight",
    ]

    /// The names of members that are passed over.
    var told = Self.told
    private(set) var lines: [(label: String, text: String)] = []

    mutating func visit<Value: APIValue>(
        _ name: StaticString,
        _ value: Value?,
        _ schema: @autoclosure () -> JSONSchema,
        isRequired: Bool,
        about: () -> String?
    ) {
        guard !told.contains("\(name)") else { return }
        let label = "\(name)".replacing("_", with: " ")
        var json = JSONText()
        value.write(to: &json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        guard text != "null" else { return }
        let plain = try? JSONDecoder().decode(String.self, from: Data(json.bytes))
        lines.append((label.prefix(1).uppercased() + label.dropFirst(), plain ?? text))
    }
}

extension StatusJSON.Hold {
    /// Returns whether it holds up a job with this URL: one of a host holds its own jobs alone.
    func concerns(_ url: String) -> Bool {
        guard let host else { return true }
        return (try? JobURL(url))?.hostKey == host
    }
}
