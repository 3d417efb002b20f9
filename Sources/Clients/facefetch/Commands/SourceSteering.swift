import ArgumentParser
import ControlAPI
import Vocabulary

/// `facefetch source list`: all sources.
struct SourceList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists all sources: what each does, and what is wrong with it."
    )

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Prints JSON Lines.")
    var json = false

    func run() throws {
        let sources = try connection.client().sources()
        let output = Output()
        if json {
            for source in sources { try output.line(JSONLine.text(source)) }
        } else if sources.isEmpty {
            try output.line("There is no source.")
        } else {
            for line in SourcePages.list(sources, width: output.width) { try output.line(line) }
        }
        try output.flush()
    }
}

/// `facefetch source show`: all about one source.
struct SourceShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one source: what it does, its walk, its jobs and the pages that it read last."
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The name of the source.", completion: NameCompletion.sources)
    var name: String

    @Flag(help: "Prints one line of JSON.")
    var json = false

    func run() throws {
        let client = try connection.client()
        let source = try client.source(name)
        let output = Output()
        if json {
            try output.line(JSONLine.text(source))
        } else {
            let pages = try client.pages(of: name)
            for line in SourcePages.lines(source, pages: pages) { try output.line(line) }
        }
        try output.flush()
    }
}

/// The options that all commands that steer one source share.
protocol SourceSteeringCommand: ParsableCommand {
    static var action: SourceAction { get }
    var connection: ConnectionOptions { get }
    var name: String { get }
    var json: Bool { get }
    var missing: Bool { get }
}

extension SourceSteeringCommand {
    var missing: Bool { false }

    func run() throws {
        let source = try connection.client().steer(Self.action, source: name, missing: missing)
        let output = Output()
        let state = source.state.code.text.safeForTerminal
        try output.line(
            json ? JSONLine.text(source) : "The source \(source.name.safeForTerminal) is \(state)."
        )
        try output.flush()
    }
}

/// `facefetch source poll`: looks again now.
struct SourcePoll: SourceSteeringCommand {
    static let action = SourceAction.poll
    static let configuration = CommandConfiguration(
        commandName: "poll",
        abstract: "Makes a source look again now, or try again where it waits or has failed."
    )

    @OptionGroup var connection: ConnectionOptions
    @Argument(help: "The name of the source.", completion: NameCompletion.sources)
    var name: String
    @Flag(
        help:
            "Reads the whole list, and fetches again the items whose documents are gone from the disk and whose jobs aren't forgotten; not those that the daemon removed to make room."
    )
    var missing = false
    @Flag(help: "Prints one line of JSON.")
    var json = false
}

/// `facefetch source more`: reads on.
struct SourceMore: SourceSteeringCommand {
    static let action = SourceAction.more
    static let configuration = CommandConfiguration(
        commandName: "more",
        abstract: "Makes a lazy source read on, one page at least."
    )

    @OptionGroup var connection: ConnectionOptions
    @Argument(help: "The name of the source.", completion: NameCompletion.sources)
    var name: String
    @Flag(help: "Prints one line of JSON.")
    var json = false
}

/// `facefetch source pause`: asks for nothing more.
struct SourcePause: SourceSteeringCommand {
    static let action = SourceAction.pause
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stops a source from asking for more pages; its jobs go on."
    )

    @OptionGroup var connection: ConnectionOptions
    @Argument(help: "The name of the source.", completion: NameCompletion.sources)
    var name: String
    @Flag(help: "Prints one line of JSON.")
    var json = false
}

/// `facefetch source resume`: goes on.
struct SourceResume: SourceSteeringCommand {
    static let action = SourceAction.resume
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lets a paused source go on."
    )

    @OptionGroup var connection: ConnectionOptions
    @Argument(help: "The name of the source.", completion: NameCompletion.sources)
    var name: String
    @Flag(help: "Prints one line of JSON.")
    var json = false
}

/// `facefetch source remove`: forgets a source.
struct SourceRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a source, and forgets what items it knows; documents stay."
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The name of the source.", completion: NameCompletion.sources)
    var name: String

    @Option(
        help: ArgumentHelp(
            "What becomes of its jobs that haven't ended: keep or cancel.",
            valueName: "what"
        ),
        completion: .list(["keep", "cancel"])
    )
    var jobs = "keep"

    func validate() throws {
        guard ["keep", "cancel"].contains(jobs) else {
            throw ValidationError("--jobs is \(jobs.safeForTerminal); it takes keep or cancel.")
        }
    }

    func run() throws {
        let removed = try connection.client().removeSource(name, jobs: jobs)
        let output = Output()
        try output.line("Removed the source \(removed.removed.safeForTerminal).")
        try output.flush()
    }
}
