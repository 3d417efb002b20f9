import ControlAPI

/// Formats jobs as tables.
enum JobTable {
    /// Returns the table for `list`.
    static func table(_ jobs: [JobJSON]) -> Table {
        var table = Table(columns: [
            .init(title: "JOB"), .init(title: "BATCH"), .init(title: "STATE"),
            .init(title: "DONE", isNumeric: true), .init(title: "SIZE", isNumeric: true),
            .init(title: "SECONDS", isNumeric: true), .init(title: "FACES", isNumeric: true),
            .init(title: "NAME", isFlexible: true),
        ])
        table.rows = jobs.map { job in
            [
                "j\(job.id)", "b\(job.batch)", state(job), done(job), size(job),
                Quantities.elapsed(job.elapsed), faces(job), job.name.safeForTerminal,
            ]
        }
        return table
    }

    /// Returns the final table of `add --wait`.
    static func results(_ jobs: [JobJSON]) -> Table {
        var table = Table(columns: [
            .init(title: "FILE", isFlexible: true), .init(title: "SIZE", isNumeric: true),
            .init(title: "SECONDS", isNumeric: true), .init(title: "FACES", isNumeric: true),
        ])
        table.rows = jobs.map { job in
            [job.name.safeForTerminal, size(job), Quantities.elapsed(job.elapsed), result(job)]
        }
        return table
    }

    private static func state(_ job: JobJSON) -> String {
        job.evictedAt != nil && job.path == nil ? "done, removed" : job.state.text.safeForTerminal
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

    private static func size(_ job: JobJSON) -> String {
        let count = job.totalBytes ?? job.bytes
        return count > 0 || job.path != nil ? Quantities.bytes(count) : "–"
    }
}
