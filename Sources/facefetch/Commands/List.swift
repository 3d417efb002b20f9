import ArgumentParser
import ControlAPI
import Vocabulary

/// The command `facefetch list`, which lists jobs.
struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists jobs.",
        discussion: """
            EXAMPLES
              facefetch list --state failed
              facefetch list --match holiday
              facefetch list --meta album=holiday --min-faces 2
              facefetch list --batch b3 --json
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Only jobs in this state: \(JobState.list).", valueName: "state"))
    var state: JobState?

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

    @Option(help: ArgumentHelp("Only jobs of this source.", valueName: "name"))
    var source: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Only jobs that were added with this, such as album=holiday. May be repeated: all must hold.",
            valueName: "key=value"
        ),
        transform: MetaMember.init(argument:)
    )
    var meta: [MetaMember] = []

    @Option(help: ArgumentHelp("Only documents with at least this many faces.", valueName: "n"))
    var minFaces: Int?

    @Flag(help: "Prints JSON Lines, one job per line.")
    var json = false

    func validate() throws {
        if text?.isEmpty == true { throw ValidationError("--match needs a text to look for.") }
        if source?.isEmpty == true { throw ValidationError("--source needs a name.") }
        if let minFaces, minFaces < 0 { throw ValidationError("--min-faces is 0 or more.") }
    }

    func run() throws {
        let output = Output()
        let client = try connection.client()
        var jobs: [JobJSON] = []
        try client.forEachPage(filter) { page in
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

    /// The query parameters of the list.
    private var filter: [(name: String, value: String?)] {
        [
            ("state", state?.rawValue), ("batch", batch.map { String($0.id) }), ("source", source),
            ("faces_min", minFaces.map(String.init)), ("q", text),
        ] + meta.map { ("meta.\($0.key)", $0.value) }
    }
}
