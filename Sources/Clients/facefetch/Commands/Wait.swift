import ArgumentParser
import ControlAPI
import Vocabulary

/// The command `facefetch wait`, which waits until jobs have ended.
struct Wait: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Waits until batches or jobs have ended.",
        discussion: """
            It ends with 0 if all are done, and with 1 if any has failed, was cancelled or is no longer known. On a \
            terminal it shows a live line for each active file; in a pipe it prints a line for each event from now \
            on. Ctrl-C ends the waiting, not the work. A paused job is waited for.

            EXAMPLES
              facefetch wait b3 && rsync -a ~/Documents/facefetch/ backup:
              facefetch wait j7 j8 --json
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp("Batches, as b3, and jobs, as j7.", valueName: "batch or job"),
        completion: NameCompletion.batches,
        transform: WaitedName.init(argument:)
    )
    var names: [WaitedName] = []

    @Flag(help: "Prints JSON Lines: the jobs once they have ended, in order.")
    var json = false

    func validate() throws {
        if names.isEmpty { throw ValidationError("Name batches, as in b3, or jobs, as in j7.") }
    }

    func run() throws {
        let output = Output()
        let client = try connection.client()
        // All of them are there before anything is waited for.
        var parts: [(batch: BatchJSON, jobs: [Int64]?)] = []
        for name in names {
            switch name {
            case .batch(let id): parts.append((try client.batch(id), nil))
            case .job(let id):
                let job = try client.job(id)
                if let place = parts.firstIndex(where: { $0.batch.id == job.batch && $0.jobs != nil }) {
                    parts[place].jobs?.append(id)
                } else {
                    parts.append((try client.batch(job.batch), [id]))
                }
            }
        }
        var status = ExitStatus.done
        for part in parts {
            let wait = try BatchWait(
                client: client,
                batch: part.batch,
                jobs: part.jobs,
                isNew: false,
                output: output,
                isJSON: json
            )
            let end = try wait.run()
            // Somebody has ended the waiting.
            guard let outcome = wait.outcome else { throw end }
            if !json, !output.canRedraw {
                let what =
                    part.jobs == nil
                    ? outcome.summary
                    : "Of batch \(BatchID(part.batch.id)) ended: \(Quantities.count(outcome.files, "file"))"
                try output.line("\(what), \(outcome.details.safeForTerminal).")
            }
            status = end == .done ? status : end
        }
        try output.flush()
        guard status == .done else { throw status }
    }
}

/// The name of something to wait for: `b3` or `j7`.
enum WaitedName: Hashable, Sendable {
    case batch(Int64)
    case job(Int64)

    /// Reads a name from the command line.
    ///
    /// - Throws: `ValidationError`
    init(argument: String) throws {
        switch argument.first {
        case "b": self = .batch(try BatchName(argument: argument).id)
        case "j": self = .job(try JobName(argument: argument).id)
        default: throw ValidationError("name batches as b3 and jobs as j7")
        }
    }
}
