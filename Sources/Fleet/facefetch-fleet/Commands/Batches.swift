import ArgumentParser
import SourceCore

/// Lists batches.
struct Batches: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the latest batches, newest first, with what has become of their jobs."
    )

    @OptionGroup var config: ConfigOptions
    @Option(help: ArgumentHelp("How many.", valueName: "number"))
    var limit = 20
    @Flag(help: "Prints a line of JSON for each batch.")
    var json = false

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is from 1 to 100000.") }
    }

    func run() throws {
        for batch in try asked({ try config.queue().batches(latest: limit) }) {
            Output.line(json ? batch.json : Self.line(batch))
        }
    }

    /// A line for people.
    static func line(_ batch: FleetQueue.BatchLine) -> String {
        let ended = batch.done + batch.failed + batch.cancelled
        let percent = batch.items > 0 ? 100 * ended / batch.items : 100
        var line = "\(batch.batch)  \(percent)%  \(batch.done) of \(batch.items) done"
        if batch.failed > 0 { line += "  \(batch.failed) failed (\(batch.failures ?? ""))" }
        if batch.cancelled > 0 { line += "  \(batch.cancelled) cancelled" }
        if ended < batch.items {
            line += "  \(batch.lastMinute) a minute"
            if batch.lastMinute > 0 {
                line += ", \((batch.items - ended - 1) / batch.lastMinute + 1) min left"
            }
        }
        if let source = batch.source { line += "  from \(source)" }
        if let key = batch.key {
            // Whoever added it chose it, and it goes to a terminal.
            line +=
                "  "
                + String(key.map { $0.isASCII && !$0.isWhitespace && $0 > " " && $0 != "\u{7F}" ? $0 : "?" })
        }
        return line
    }
}

/// Shows a job.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints all that is known of a job, as a line of JSON.",
        discussion:
            "Header fields are not shown. The state of one that hasn't ended is queued, held or paused."
    )

    @OptionGroup var config: ConfigOptions
    @Argument(help: ArgumentHelp("The job's number, as in results.", valueName: "job"))
    var job: Int64

    func run() throws {
        guard let line = try asked({ try config.queue().show(job) }) else {
            throw FleetFailure(.unsuccessful, "There is no job \(job).")
        }
        Output.line(UserInformation.masked(in: line))
    }
}
