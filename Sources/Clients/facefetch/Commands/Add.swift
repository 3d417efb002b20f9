import ArgumentParser
import ControlAPI
import FoundationEssentials
import Vocabulary

/// The command `facefetch add`, which submits a batch.
struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds images to download and count faces in.",
        discussion: """
            All URLs of one command are one batch: either all are accepted, or none. Once this \
            command has ended with 0 the daemon has them on disk and will fetch them, whatever \
            happens to this terminal.

            With --wait it stays until the last file is done, also where the daemon can't begin yet, as on a full \
            disk. On a terminal it shows a live line for \
            each active file; in a pipe it prints a line for each event, beginning with the seconds \
            since the start. Ctrl-C ends the waiting, not the work. With --notify a notification on the \
            desktop says what it came to; where there is no desktop, one line says so.

            A list has a URL on each line; a name for its document may follow after a tab. It is UTF-8, or UTF-16 \
            with a byte-order mark. One of more than 100,000 lines becomes several batches, all of them checked \
            before the first is added.

            A list whose name ends in .csv, .tsv or .jsonl (or with .gz after that) is a table: its column url, in \
            any case, or the one that --url-column names, has the URLs. A bad row refuses all of it. A row of \
            JSON Lines without the key of a column that --meta names has null for it.

            What may not be in a URL is percent-encoded, and what is encoded already stays as it is. Bytes of a \
            list that are not UTF-8 are percent-encoded as they are.

            If a command that adds a list is cut off, by Ctrl-C or because the daemon is gone, repeat it: for \
            seven days it is known what was in already, and nothing is added twice. A list that was added \
            whole is added once more.

            Header fields go to the scheme, host and port of each URL and nowhere else, whatever it \
            redirects to. The daemon keeps them until the document is stored or the job cancelled, and \
            shows them to nobody. Other users of this machine can see a command line, but not what \
            --header @FILE reads. Cookies go and stay like them: of those in the file, each URL gets the ones that \
            are for its host and path and have not expired. What servers set on the way to a file is kept for \
            that way alone.

            A URL with a range or a choice, such as photo[001-100].jpg, is a pattern. It is refused, unless --expand \
            asks for all that it stands for; --dry-run shows that first.

            With --skip-bad, the good lines of a list are added where others are bad. Those are written to standard \
            error or to a file, each after the reason why it was left out; that file is a list again, to be \
            corrected and added. The command ends with 1 then.

            With --skip-known, URLs of jobs that have neither failed nor been cancelled are left out, and so are \
            repeated ones. What was forgotten is fetched again. The last \
            line says how many were new.

            EXAMPLES
              facefetch add https://example.org/a.jpg https://example.org/b.jpg
              facefetch add --from list.txt --wait --notify
              facefetch add --from list.txt --into holiday/2026
              facefetch add --from list.txt --skip-known
              facefetch add --from list.txt --skip-bad bad.txt
              facefetch add 'https://example.org/photo[001-100].jpg' --expand --dry-run
              facefetch add --from photos.csv --url-column URL --meta title,author
              grep -o 'https://.*jpg' page.html | facefetch add --from -
              facefetch add https://example.org/a.jpg --wait --json
              facefetch add https://example.org/a.jpg --header @token.txt --rate-limit 500k
              facefetch add --from list.txt --cookies cookies.txt
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: ArgumentHelp("What to fetch: http or https.", valueName: "url"))
    var urls: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Reads more URLs from a file, one per line; - is standard input. A # at the beginning of a line, or after a blank, begins a comment; a name may follow a URL after a tab, in quotation marks if it has that.",
            valueName: "file"
        ),
        completion: .file()
    )
    var from: String?

    @OptionGroup var table: TableOptions

    @Option(help: "The name of the document; for one URL.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The folder for the documents, in the documents directory, such as holiday/2026; it is made if it is missing. It takes precedence over documents.layout.",
            valueName: "folder"
        ),
        transform: Self.folder
    )
    var into: String?

    @Option(
        help: ArgumentHelp("The SHA-256 that the document must have; for one URL.", valueName: "hex")
    )
    var sha256: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("From -100 to 100; higher goes first.", valueName: "n")
    )
    var priority: Int?

    @Option(
        help: ArgumentHelp(
            "From 1 to 1000: the share of these files beside other batches and sources of the same priority. With 2 they get twice the bytes of a batch with 1, which is the default.",
            valueName: "n"
        )
    )
    var weight: Int?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A header field to send along, such as 'Referer: https://example.org/', or @FILE to read some from a file, one per line. May be repeated.",
            valueName: "name: value"
        )
    )
    var header: [String] = []

    @Option(
        help: ArgumentHelp(
            "A cookies.txt, as browsers' extensions and curl write it, of which each URL gets those that are for it.",
            valueName: "file"
        ),
        completion: .file()
    )
    var cookies: String?

    @Option(
        help: ArgumentHelp(
            "The maximum speed of each file in bytes per second, such as 500k, 2M or 10 MB/s; k, M and G stand for KiB, MiB and GiB.",
            valueName: "rate"
        ),
        transform: Self.rate
    )
    var rateLimit: Int64?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Something to know of the files later, such as album=holiday; 'facefetch list --meta' finds them by it. For a table: the columns to know, such as title,author. May be repeated.",
            valueName: "key=value"
        ),
        transform: MetaArgument.init(argument:)
    )
    var meta: [MetaArgument] = []

    @Flag(
        help: "Leaves out repeated URLs, and those of jobs that have neither failed nor been cancelled."
    )
    var skipKnown = false

    @Option(
        defaultAsFlag: "-",
        help: ArgumentHelp(
            "Adds the good lines of a list, and writes the bad ones with their reasons to a file; without one, to standard error.",
            valueName: "file"
        ),
        completion: .file()
    )
    var skipBad: String?

    @Flag(
        help: "Adds what patterns stand for, as curl reads them: [001-100], [1-9:2], [a-z], {small,large}."
    )
    var expand = false

    @Flag(help: "Prints the URLs that would be added, and adds none.")
    var dryRun = false

    @Flag(help: "Waits until the last file is done.")
    var wait = false

    @Flag(help: "With --wait: shows a notification on the desktop once the last file is done.")
    var notify = false

    @Flag(help: "Prints JSON Lines: the batch, or with --wait the finished jobs, in order.")
    var json = false

    func validate() throws {
        if urls.isEmpty, from == nil {
            throw ValidationError("There is nothing to add: give URLs, or a list of them with --from.")
        }
        if let skipBad {
            guard from != nil else {
                throw ValidationError("--skip-bad is for a list: give one with --from.")
            }
            guard !skipBad.contains("://") else {
                throw ValidationError("--skip-bad takes a file: put URLs before it.")
            }
        }
        if notify, !wait {
            throw ValidationError("--notify tells of the end that --wait waits for: add --wait.")
        }
        if !meta.columns.isEmpty, try from.flatMap({ try table.kind(of: $0) }) == nil {
            throw ValidationError(
                "Write --meta as KEY=VALUE, such as album=holiday; names of columns are for tables."
            )
        }
        if !meta.columns.isEmpty, !meta.members.isEmpty {
            throw ValidationError("--meta takes either KEY=VALUE for all files, or the columns of a table.")
        }
        if let priority, !(-100...100).contains(priority) {
            throw ValidationError("The priority is \(priority); it must be from -100 to 100.")
        }
        if let weight, !(1...1000).contains(weight) {
            throw ValidationError("The weight is \(weight); it must be from 1 to 1000.")
        }
        if let twice = MetaMember.firstRepeated(in: meta.members) {
            throw ValidationError("--meta gives \(twice.safeForTerminal) twice.")
        }
    }

    /// Reads a folder, whose name a shell may have completed with a slash; the daemon checks the rest.
    private static func folder(_ text: String) throws -> String {
        let folder = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard !folder.isEmpty, !folder.hasPrefix("/") else {
            throw ValidationError("give a path in the documents directory, such as holiday/2026")
        }
        return folder
    }

    /// Reads a rate in bytes per second.
    private static func rate(_ text: String) throws -> Int64 {
        guard let rate = AmountText.rate(text) else { throw ValidationError("give \(AmountText.rateForm)") }
        return rate
    }

    func run() throws {
        let output = Output()
        if let from, let kind = try table.kind(of: from) { return try add(table: from, kind, to: output) }
        let bad = try skipBad.map { (file) throws(ClientError) in try BadLines(file: file) }
        let list = try items(leavingOut: bad)
        let item = try itemMaker()
        let items = list.items.map { item($0.url, name ?? $0.name, sha256, MetaMember.object(meta.members)) }
        try post(items, leavingOut: bad, to: output) { list.items[$0].place }
    }

    /// Returns a function that makes an item, with what the flags say of every one.
    func itemMaker() throws -> (
        _ url: String, _ name: String?, _ sha256: String?, _ meta: MetaJSON?
    ) -> BatchRequest.Item {
        let headers = try HeaderList.read(header)
        let cookies = try cookies.map { (path) throws(ClientError) in try CookieList(file: path) }
        return { url, name, sha256, meta in
            BatchRequest.Item(
                url: url,
                name: name,
                folder: into,
                sha256: sha256,
                priority: priority,
                headers: headers.isEmpty ? nil : headers,
                cookies: cookies?.field(for: url),
                rateLimit: rateLimit,
                meta: meta
            )
        }
    }
}
