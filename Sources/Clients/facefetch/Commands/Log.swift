import ArgumentParser
import ControlAPI
import FoundationEssentials
import Vocabulary

/// The command `facefetch log`, which prints events.
struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Prints what happened to jobs, one line per event.",
        discussion: """
            A line has the time, the batch, the job, the seconds since the batch was added, and \
            what happened. With --batch it begins with the seconds. With -f the log goes on as things \
            happen, even across restarts of the daemon, until Ctrl-C; it begins with the last 10 lines, or \
            with all of a batch.

            EXAMPLES
              facefetch log -n 20
              facefetch log --since 10m
              facefetch log -f --batch b3
              facefetch log -f --json | grep '"kind":"failed"'
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Flag(name: .shortAndLong, help: "Follows what happens next.")
    var follow = false

    @Option(
        help: ArgumentHelp("Only this batch; lines begin with its elapsed seconds.", valueName: "batch"),
        completion: NameCompletion.batches,
        transform: BatchName.init(argument:)
    )
    var batch: BatchName?

    @Option(
        help: ArgumentHelp(
            "Only events since then: 90s, 10m, 2h, 3d ago, or a time such as 2026-11-21T06:45:00Z.",
            valueName: "time"
        ),
        transform: SinceTime.init(argument:)
    )
    var since: SinceTime?

    @Option(
        name: [.customShort("n"), .customLong("lines")],
        help: ArgumentHelp("Begins with the last so many lines.", valueName: "n")
    )
    var lines: Int?

    @Flag(help: "Prints JSON Lines, one event per line.")
    var json = false

    /// The lines that a log begins with that is followed, where nobody says more.
    private static let few = 10
    /// The most lines that the daemon can be asked for in this way.
    private static let most = 1_000_000

    func validate() throws {
        if let lines, !(0...Self.most).contains(lines) {
            throw ValidationError("-n is 0 to \(Quantities.grouped(Self.most)).")
        }
    }

    /// The number of the newest events to begin with; nil for all that are kept.
    private var newest: Int? { lines ?? (follow && batch == nil && since == nil ? Self.few : nil) }

    func run() throws {
        let output = Output()
        let path = try connection.socketPath()
        if let batch { _ = try ControlClient(socketPath: path).batch(batch.id) }
        let start = since?.date(now: Date())
        let feed = EventFeed(
            socketPath: path,
            batch: batch?.id,
            after: newest == nil ? 0 : nil,
            since: start,
            newest: newest,
            follows: follow
        )
        while true {
            switch try feed.next(timeout: 1000) {
            case .event(let event):
                if let start, let time = LocalTime.parse(event.time), time < start { continue }
                try output.line(try text(event))
            case .lost(let error):
                try output.flush()
                Output.note("\(error.messageWhileWaiting) Waiting for the daemon to come back…")
            case .gone:
                Output.note("Older events are no longer kept.")
            case .ended:
                try output.flush()
                return
            case .quiet:
                try output.flush()
            case .connected, .progress, .woken:
                continue
            }
            if feed.hasToWait { try output.flush() }
        }
    }

    private func text(_ event: EventJSON) throws -> String {
        if json { return JSONLine.text(event) }
        return batch == nil ? EventLine.whole(event) : EventLine.fromElapsed(event)
    }
}

/// Formats an event as a line of the event log.
enum EventLine {
    /// Returns the complete line: time, batch, job, elapsed seconds, message.
    static func whole(_ event: EventJSON) -> String {
        "\(event.time) \(BatchID(event.batch)) \(JobID(event.job)) \(fromElapsed(event))".safeForTerminal
    }

    /// Returns the line from its elapsed seconds on, for readers of a single batch.
    static func fromElapsed(_ event: EventJSON) -> String {
        "\(Quantities.elapsed(event.elapsed)) \(event.message.safeForTerminal)"
    }
}
