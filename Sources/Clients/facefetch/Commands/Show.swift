import ArgumentParser
import ControlAPI

/// The command `facefetch show`, which shows everything about one job.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one job: its state, why it waits or failed, and its faces.",
        discussion: """
            EXAMPLES
              facefetch show j3
              facefetch show 3 --json
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: "The job, as j3 or 3.",
        completion: NameCompletion.jobs,
        transform: JobName.init(argument:)
    )
    var job: JobName

    @Flag(help: "Prints one line of JSON.")
    var json = false

    func run() throws {
        let output = Output()
        let client = try connection.client()
        let job = try client.job(job.id)
        if json {
            try output.line(JSONLine.text(job))
        } else {
            // Only for a job that waits for its turn does it matter what holds things up.
            let holds = job.state == .queued ? try? client.status().holds : nil
            for line in ShownJob.lines(job, holds: holds ?? []) { try output.line(line) }
        }
        try output.flush()
    }
}
