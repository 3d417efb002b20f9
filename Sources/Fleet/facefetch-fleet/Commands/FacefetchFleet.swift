import ArgumentParser
import ControlAPI
import Vocabulary

/// The command `facefetch-fleet`, with its subcommands.
struct FacefetchFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facefetch-fleet",
        abstract: "Joins a daemon to a queue that many machines share, in PostgreSQL.",
        discussion: """
            run is the agent of one node, beside its daemon, until it is stopped: then it gives back what it holds. So \
            is --config alone. The other commands work from any machine that reaches the database.

            EXIT STATUS
              0   done as asked
              1   no such batch, job or node, or the database refused it
              2   bad usage, or a refused item
              3   the database can't be reached
              75  another agent runs under the node's name
              78  the settings are wrong
            """,
        version: "facefetch-fleet \(ProductVersion.current)",
        subcommands: [
            Run.self, Init.self, Add.self, Status.self, Pause.self, Resume.self, Cancel.self, Retry.self,
            Prioritize.self, Hold.self, Release.self, Results.self, Forget.self, Batches.self, Jobs.self,
            Show.self, Find.self, Unrecorded.self,
            Export.self, Metrics.self, RemoveNode.self,
            SettingsTable.self,
        ]
    )

    @OptionGroup var config: ConfigOptions

    /// Runs the agent whose settings are named.
    ///
    /// Whoever types the name alone beside an agent at work would take that one's place.
    func run() throws {
        guard config.path != nil else {
            throw ValidationError(
                "Name a command: run is the agent of this node, and status tells how the fleet stands."
            )
        }
        try Run.agent(config.settings())
    }
}

/// Runs the agent.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs as the agent of a node, beside its daemon, until it is stopped."
    )

    @OptionGroup var config: ConfigOptions

    func run() throws { try Self.agent(config.settings()) }

    /// Runs the agent until a signal asks it to stop.
    fileprivate static func agent(_ settings: FleetSettings) throws {
        let agent: Agent
        do { agent = try Agent(settings) } catch { throw FleetFailure(.unreachable, error.words) }
        try agent.run()
    }
}

/// Options that say where the settings are.
struct ConfigOptions: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: ArgumentHelp("The settings. The default is \(FleetSettings.usualPath).", valueName: "file")
    )
    var path: String?

    /// Reads the settings.
    func settings() throws(FleetFailure) -> FleetSettings {
        try FleetSettings(path: path ?? FleetSettings.usualPath)
    }

    /// The time that a person's statement may take, and that each server of the database has to take a connection.
    static let (patience, perHost) = (Duration.seconds(600), Duration.seconds(10))

    /// Connects to the fleet's queue, as a person does who can wait for what is being done.
    func queue() throws(FleetFailure) -> FleetQueue {
        let settings = try settings()
        do {
            return try FleetQueue(
                settings.database,
                schema: settings.schema,
                patience: Self.patience,
                perHost: Self.perHost
            )
        } catch {
            throw FleetFailure(error)
        }
    }
}

/// Does something with the database, whose errors become failures.
///
/// - Throws: ``FleetFailure``, and whatever else `body` throws.
func asked<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as FleetQueueError { throw FleetFailure(error) }
}

/// Makes the fleet's tables.
struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes the fleet's tables, or brings them up to date; may be run again.",
        discussion: """
            The tables belong to the role that runs this, which should be the fleet's own: nobody else reads them, \
            or the header fields that items may have. Those go when their job has ended.
            """
    )

    @OptionGroup var config: ConfigOptions
    @Option(help: ArgumentHelp("Lets a role read records, without header fields.", valueName: "role"))
    var reader: String?
    @Option(help: ArgumentHelp("Lets a role add jobs by the SQL function add.", valueName: "role"))
    var submitter: String?
    @Option(
        help: ArgumentHelp(
            "Lets a role run nodes, which see header fields of what is queued, and make no tables.",
            valueName: "role"
        )
    )
    var node: String?

    func run() throws {
        let settings = try config.settings()
        try asked {
            try FleetQueue.migrate(
                settings.database,
                schema: settings.schema,
                patience: ConfigOptions.patience,
                perHost: ConfigOptions.perHost
            )
            try config.queue().allow(reader: reader, submitter: submitter, node: node)
        }
    }
}

/// Forgets what ended long ago.
struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forgets batches whose last job ended long ago. Prints the number of their jobs.",
        discussion: """
            Documents stay where they are. find still says where, unless --wholly is given. Under a key that is \
            forgotten, a list can be added again.
            """
    )

    @OptionGroup var config: ConfigOptions
    @Option(
        help: ArgumentHelp("How long ago, such as 90d; a number alone is in days.", valueName: "age"),
        transform: Self.age
    )
    var endedBefore: Duration
    @Flag(help: "Forgets also where the documents are, of this and of earlier times.")
    var wholly = false

    /// Reads how long ago something ended.
    private static func age(_ text: String) throws -> Duration {
        let range = 86_400...36_500 * 86_400.0
        guard let seconds = DurationText.seconds(text, in: range, bare: .day) else {
            throw ValidationError("give \(DurationText.form(range))")
        }
        return .seconds(seconds)
    }

    func run() throws {
        Output.line("\(try asked { try config.queue().forget(endedBefore: endedBefore, wholly: wholly) })")
    }
}

/// Prints the settings, from which their manual page and the file with all of them are made.
struct SettingsTable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the settings, a line of JSON each.",
        shouldDisplay: false
    )

    @Flag(help: "Prints a settings file with every setting and its meaning.")
    var file = false

    func run() {
        if file {
            Output.line(FleetSettings.file)
        } else {
            for row in FleetSettings.table { Output.line(row.json) }
        }
    }
}
