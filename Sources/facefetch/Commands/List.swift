import ArgumentParser
import ControlAPI

/// `facefetch list`: the jobs there are.
struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists jobs.",
        discussion: """
            EXAMPLES
              facefetch list --state failed
              facefetch list --match holiday
              facefetch list --batch b3 --json
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Only jobs in this state: \(JobJSON.State.list).", valueName: "state"))
    var state: JobJSON.State?

    @Option(
        help: ArgumentHelp("Only jobs of this batch.", valueName: "batch"),
        completion: NameCompletion.batches,
        transform: BatchName.init(argument:)
    )
    var batch: BatchName?

    @Option(
        name: .customLong("match"),
        help: ArgumentHelp("Only jobs with this text in their name or URL.", valueName: "text")
    )
    var text: String?

    @Flag(help: "Prints JSON Lines, one job per line.")
    var json = false

    func validate() throws {
        if text?.isEmpty == true { throw ValidationError("--match needs a text to look for.") }
    }

    func run() throws {
        let output = Output()
        let client = try connection.client()
        var jobs: [JobJSON] = []
        try client.forEachPage(state: state, batch: batch?.id, text: text) { page in
            if json {
                for job in page { try output.line(JSONLine.text(job)) }
            } else {
                jobs += page
            }
        }
        if !json {
            guard !jobs.isEmpty else {
                Output.note("There are no such jobs.")
                return
            }
            for line in JobTable.table(jobs).lines(width: output.width) { try output.line(line) }
        }
        try output.flush()
    }
}
