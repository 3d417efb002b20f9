import ControlAPI
import Vocabulary

/// Formats jobs as tables.
enum ShownJobs {
    /// The columns that a reason needs to say something beside all else.
    private static let leastReason = 40

    /// Returns the lines for `list`: where a window is too narrow for reasons beside the rest, they stand below.
    static func lines(_ jobs: [JobJSON], width: Int?) -> [String] {
        let reasons = jobs.map { reason($0)?.safeForTerminal ?? "" }
        var table = table(jobs)
        guard reasons.contains(where: { !$0.isEmpty }) else { return table.lines(width: width) }
        let room = width.map { $0 - table.leastWidth - 2 } ?? .max
        guard room < min(leastReason, reasons.map(\.columns).max() ?? 0) else {
            table.columns.append(.init(title: "REASON", isFlexible: true))
            for (row, reason) in reasons.enumerated() { table.rows[row].append(reason) }
            return table.lines(width: width)
        }
        let lines = table.lines(width: width)
        return lines.prefix(1)
            + zip(lines.dropFirst(), reasons).flatMap { line, reason in
                reason.isEmpty ? [line] : [line, "  \(reason)".cut(to: width ?? .max)]
            }
    }

    /// Returns the table for `list`, without reasons.
    private static func table(_ jobs: [JobJSON]) -> Table {
        var table = Table(columns: [
            .init(title: "JOB"), .init(title: "BATCH"), .init(title: "STATE"),
            .init(title: "DONE", isNumeric: true), .init(title: "SIZE", isNumeric: true),
            .init(title: "SINCE ADDED", isNumeric: true), .init(title: "OWN TIME", isNumeric: true),
            .init(title: "FACES", isNumeric: true),
            .init(title: "NAME", isFlexible: true),
        ])
        table.rows = jobs.map { job in
            [
                "\(JobID(job.id))", "\(BatchID(job.batch))", state(job), done(job), size(job),
                "\(Quantities.elapsed(job.elapsed)) s", ownTime(job), faces(job),
                job.name.safeForTerminal,
            ]
        }
        return table
    }

    /// Returns the time from when a job's server answered to the end of the job: its own, however long it waited
    /// for others; a dash where one of the two is unknown.
    private static func ownTime(_ job: JobJSON) -> String {
        guard let start = job.response.flatMap({ LocalTime.parse($0.receivedAt) }),
            let end = job.finishedAt.flatMap(LocalTime.parse)
        else { return "–" }
        return "\(Quantities.elapsed(end.timeIntervalSince(start))) s"
    }

    /// Returns the final table of `add --wait`.
    ///
    /// - Parameter took: The seconds from when a job was begun to its end, where that was seen.
    static func results(_ jobs: [JobJSON], took: [Int64: Double] = [:]) -> Table {
        var table = Table(columns: [
            .init(title: "FILE", isFlexible: true), .init(title: "SIZE", isNumeric: true),
            .init(title: "TOOK", isNumeric: true), .init(title: "SINCE ADDED", isNumeric: true),
            .init(title: "FACES", isNumeric: true),
        ])
        table.rows = jobs.map { job in
            [
                job.name.safeForTerminal, size(job),
                took[job.id].map { "\(Quantities.elapsed($0)) s" } ?? "–",
                "\(Quantities.elapsed(job.elapsed)) s", result(job),
            ]
        }
        return table
    }

    private static func state(_ job: JobJSON) -> String {
        job.evictedAt != nil && job.path == nil ? "done, removed" : job.state.text.safeForTerminal
    }

    /// Returns the reason why a job waits, has failed or could not be looked at; nil if it has none.
    static func reason(_ job: JobJSON) -> String? {
        if let error = job.error { return "\(error.code): \(error.message)" }
        if let waiting = job.waiting { return waiting.reason }
        return job.detection?.reason.map { "it \($0)" }
    }

    /// Returns the number of faces; a dash if nobody has looked, or a word if looking has failed.
    static func faces(_ job: JobJSON) -> String {
        guard let detection = job.detection else { return "–" }
        return detection.faceCount.map(String.init) ?? detection.outcome.text.safeForTerminal
    }

    private static func result(_ job: JobJSON) -> String {
        switch job.state {
        case .known(.done): faces(job)
        case .known(.failed): job.error.map { "failed: \($0.code.safeForTerminal)" } ?? "failed"
        default: job.state.text.safeForTerminal
        }
    }

    private static func done(_ job: JobJSON) -> String { job.percent.map { "\($0)%" } ?? "–" }

    /// The length of a job's file, or what there is of it; nil if nothing is known.
    static func bytes(_ job: JobJSON) -> Int64? {
        let count = job.totalBytes ?? job.bytes
        return count > 0 || job.path != nil ? count : nil
    }

    private static func size(_ job: JobJSON) -> String { bytes(job).map(Quantities.bytes) ?? "–" }
}
