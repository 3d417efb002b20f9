import ArgumentParser
import ControlAPI

/// The command `facefetch batches`, which lists what was added together.
struct Batches: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batches",
        abstract: "Lists batches: when each was added, and what its jobs have come to.",
        discussion: """
            EXAMPLES
              facefetch batches --limit 5      the newest five
              facefetch wait b3                wait until all of one is done
              facefetch list --batch b3        its jobs
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Only the newest, at most this many.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Prints JSON Lines, one batch per line.")
    var json = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit is 1 or more.") }
    }

    func run() throws {
        let output = Output()
        var batches: [BatchJSON] = []
        try connection.client().forEachPageOfBatches { page in
            batches += page
            if let limit { batches = Array(batches.suffix(limit)) }
        }
        if json {
            for batch in batches { try output.line(JSONLine.text(batch)) }
        } else if batches.isEmpty {
            Output.note("There are no batches.")
        } else {
            for line in BatchTable.table(batches).lines(width: output.width) { try output.line(line) }
        }
        try output.flush()
    }
}
