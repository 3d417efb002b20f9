import ArgumentParser
import ControlAPI
import FoundationEssentials
import Glibc
import Vocabulary

/// `facefetch on`: runs a program for each job that comes to an end.
struct On: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Runs a program for each job that is stored, done, failed or cancelled.",
        discussion: """
            The program gets the job as JSON on standard input, and what is known of it as FACEFETCH_JOB, \
            FACEFETCH_PATH and so on in its environment. An argument that is a word in braces stands for \
            the same: \(ProgramTemplate.Word.list), and meta.KEY. No shell is involved, and nothing that \
            strangers have named is ever taken for a command. What isn't known is empty.

            It goes on until it is stopped, also while the daemon is away, and remembers under --name how far \
            it is: when it is started again, it goes on there, and what was under way is run again. So every \
            ending is handled at least once. A job that ends again, after a retry, is one more.

            A program that ends with status 75 is run again later: after 1 s, then 2 s, up to an hour, while \
            others go on, until 10,000 wait like that. Any other status but 0 is told on standard error, and that is that. What a program \
            leaves running in the background when it ends is left alone and isn't waited for, unless its time \
            was up: then all that it has started is ended with it.

            EXAMPLES
              facefetch on done -- echo {name} {faces}
              facefetch on done,failed --name mail -- ./notify.sh
              facefetch on done --jobs 4 --timeout 60 --from 0 -- ./index --picture {path} --album {meta.album}

            ENVIRONMENT
              STATE_DIRECTORY  where to remember how far it is; set by systemd
              XDG_STATE_HOME   else in facefetch/on/ there; ~/.local/state if it is not set

            EXIT STATUS
              2   unknown ending or placeholder, or no such program
              3   the daemon can't be reached at the start
              75  one of that name is running
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp(
            "Which endings, joined by commas: stored, done, failed, cancelled.",
            valueName: "ending,…"
        ),
        transform: Endings.init(argument:)
    )
    var endings: Endings

    @Option(help: ArgumentHelp("What to remember it by; the program's name by default.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("How many programs may run at once; 1 by default.", valueName: "n"))
    var jobs = 1

    @Option(
        help: ArgumentHelp(
            "How long a program may run, such as 30s or 5m; no limit by default.",
            valueName: "time"
        ),
        transform: Self.timeLimit
    )
    var timeout: Double?

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "Where to begin the first time: after this number, 0 for the oldest; at now by default.",
            valueName: "n"
        )
    )
    var start: Int64?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The program and its arguments, behind --.", valueName: "program")
    )
    var program: [String] = []

    func validate() throws {
        guard (1...1000).contains(jobs) else { throw ValidationError("--jobs is from 1 to 1000.") }
        if let start, start < 0 { throw ValidationError("--from is 0 or more.") }
        let template = try ProgramTemplate(program)
        let name = name ?? FilePath.name(template.program)
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
        guard isPlain, !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 100 else {
            throw ValidationError(
                "A name has letters, digits and signs, without / or a dot in front."
            )
        }
    }

    func run() throws {
        let template = try ProgramTemplate(program)
        try Self.find(template.program)
        let folder = try FollowCursor.folder(ProcessInfo.processInfo.environment)
        let cursor = try FollowCursor(name: name ?? FilePath.name(template.program), in: folder)
        // Somebody may have started this with children ignored, whose ends nobody would hear of.
        signal(SIGCHLD, SIG_DFL)
        let signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGCHLD])
        let client = try connection.client()
        let known = try cursor.read()
        let ledger = try known ?? first(client, cursor)
        Output.note("Following \(endings.words) from number \(ledger.through) on.")
        let run = FollowRun(
            client: client,
            options: FollowRun.Options(
                endings: endings.list,
                template: template,
                jobs: jobs,
                timeout: timeout
            ),
            cursor: cursor,
            ledger: ledger,
            hasAnswered: known == nil && start == nil,
            signals: signals
        )
        throw SignalPipe.die(by: try run.run())
    }

    /// Reads how long a program may run, in seconds.
    private static func timeLimit(_ text: String) throws -> Double {
        let range = 1...1_000_000 * 3600.0
        guard let seconds = DurationText.seconds(text, in: range) else {
            throw ValidationError("give \(DurationText.form(range))")
        }
        return seconds
    }

    /// Returns where to begin the first time, which is written down before anything is said.
    private func first(_ client: ControlClient, _ cursor: FollowCursor) throws -> FollowLedger {
        let ledger = FollowLedger(through: try start ?? client.newestEnding())
        try cursor.write(ledger)
        return ledger
    }

    /// Looks whether there is such a program, so that a slip is told at once.
    private static func find(_ program: String) throws(ClientError) {
        let paths = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let candidates =
            program.contains("/") ? [program] : paths.split(separator: ":").map { "\($0)/\(program)" }
        guard candidates.contains(where: { access($0, X_OK) == 0 }) else {
            throw .usage("There is no program \(program.safeForTerminal) that could be run.")
        }
    }
}

/// The endings that are followed.
struct Endings: Hashable, Sendable {
    /// The endings, each once.
    let list: [JobEnding]

    /// Reads words that are joined by commas.
    ///
    /// - Throws: `ValidationError`
    init(argument: String) throws {
        var list: [JobEnding] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let ending = JobEnding(rawValue: String(word)) else {
                throw ValidationError(
                    "there are \(JobEnding.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            if !list.contains(ending) { list.append(ending) }
        }
        self.list = list
    }

    /// The words, for people.
    var words: String { list.map(\.rawValue).joined(separator: ", ") }
}
