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

            With --skip-known, URLs of jobs that have neither failed nor been cancelled are left out, and so are \
            repeated ones. What was forgotten is fetched again. The last \
            line says how many were new.

            EXAMPLES
              facefetch add https://example.org/a.jpg https://example.org/b.jpg
              facefetch add --from list.txt --wait --notify
              facefetch add --from list.txt --into holiday/2026
              facefetch add --from list.txt --skip-known
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
        let list = try items()
        let headers = try HeaderList.read(header)
        let cookies = try cookies.map { (path) throws(ClientError) in try CookieList(file: path) }
        let meta = MetaMember.object(meta.members)
        let items = list.items.map {
            BatchRequest.Item(
                url: $0.url,
                name: name ?? $0.name,
                folder: into,
                sha256: sha256,
                priority: priority,
                headers: headers.isEmpty ? nil : headers,
                cookies: cookies?.field(for: $0.url),
                rateLimit: rateLimit,
                meta: meta
            )
        }
        try post(items, to: output) { list.items[$0].place }
    }

    /// Waits until all batches have ended; throws the status of one that did not end well.
    private func wait(for batches: [BatchJSON], _ client: ControlClient, _ output: Output) throws {
        var status = ExitStatus.done
        var outcome: BatchOutcome?
        for batch in batches {
            let wait = try BatchWait(client: client, batch: batch, output: output, isJSON: json)
            let end = try wait.run()
            // Somebody has ended the waiting.
            guard let part = wait.outcome else { throw end }
            status = end == .done ? status : end
            outcome?.add(part)
            outcome = outcome ?? part
        }
        try output.flush()
        if notify, let outcome {
            let notice = DesktopNotice(summary: outcome.summary, body: outcome.details)
            if let problem = notice.show() { Output.note("No notification is shown: \(problem).") }
        }
        guard status == .done else { throw status }
    }

    /// Returns the confirmation of an accepted batch.
    static func receipt(_ batch: BatchJSON) -> String {
        var jobs = ""
        if let first = batch.jobs?.first, let last = batch.jobs?.last {
            jobs = first == last ? ", job j\(first)" : ", jobs j\(first) to j\(last)"
        }
        return """
            Added \(Quantities.count(batch.jobCount, "file")) as batch b\(batch.id)\(jobs). \
            Follow with: facefetch log -f --batch b\(batch.id)
            """
    }

    private func items() throws(ClientError) -> ItemList {
        var list = ItemList()
        list.add(arguments: urls)
        if let from { try list.add(file: from) }
        guard !list.items.isEmpty else { throw .usage("There is nothing to add: the list has no URLs.") }
        guard list.items.count == 1 || (name == nil && sha256 == nil) else {
            throw .usage("--name and --sha256 are for one file: add it by itself.")
        }
        return list
    }

    /// Adds what a table lists, in as many batches as that takes, all of them checked before the first is posted.
    private func add(table file: String, _ kind: TableOptions.Kind, to output: Output) throws {
        guard urls.isEmpty, name == nil, sha256 == nil else {
            throw ClientError.usage(
                "A table has its own URLs, names and checksums: add other files by themselves."
            )
        }
        let rows = try TableReader.read(file, kind, table, meta: meta.columns)
        let headers = try HeaderList.read(header)
        let cookies = try cookies.map { (path) throws(ClientError) in try CookieList(file: path) }
        var items: [BatchRequest.Item] = []
        for row in rows {
            items.append(
                BatchRequest.Item(
                    url: row.url,
                    name: row.name,
                    folder: into,
                    sha256: row.sha256,
                    priority: priority,
                    headers: headers.isEmpty ? nil : headers,
                    cookies: cookies?.field(for: row.url),
                    rateLimit: rateLimit,
                    meta: row.meta ?? MetaMember.object(meta.members)
                )
            )
        }
        let name = file == "-" ? "standard input" : file
        try post(items, to: output) { index in
            "\(name) " + (rows[index].line.map { "line \($0)" } ?? "row \(index + 1)")
        }
    }

    /// Posts items in as many batches as that takes, and waits for them if that was asked for.
    ///
    /// - Parameter place: Where an item was read, by its index.
    private func post(
        _ items: [BatchRequest.Item],
        to output: Output,
        place: @escaping (Int) -> String
    ) throws {
        let client = try connection.client()
        var parts = BatchParts(size: ItemList.maximum, items: items, place: place)
        parts.weight = weight
        parts.skipsKnown = skipKnown
        // URLs that are given by themselves are added once more by the same command.
        let unfinished = from == nil ? nil : try unfinished(parts.json)
        parts.isRemembered = unfinished?.isRemembered ?? false
        let key = UnfinishedAdd.newKey()
        var batches: [BatchJSON] = []
        var post = PatientPost(client, waits: wait)
        do {
            try parts.post({ try post($0, key: unfinished?.key(part: $1) ?? "\(key)-\($1)") }) { posted in
                if let batch = posted.batch { batches.append(batch) }
                // What is in is told at once, whatever becomes of the next part.
                if json {
                    if !wait { try output.line(posted.line) }
                } else {
                    if !wait, let batch = posted.batch { try output.line(Self.receipt(batch)) }
                    if let news = posted.news { try output.line(news) }
                }
                try output.flush()
            }
        } catch let error as ClientError where batches.isEmpty && error.status == .usage {
            unfinished?.forget()
            throw error
        }
        unfinished?.forget()
        if wait { try self.wait(for: batches, client, output) }
        try output.flush()
    }

    /// Returns the record of a list that is kept in case adding it is cut off.
    private func unfinished(_ batches: some Sequence<[UInt8]>) throws(ClientError) -> UnfinishedAdd {
        let digest = UnfinishedAdd.digest(batches, to: try connection.socketPath())
        let unfinished = UnfinishedAdd(digest, ProcessInfo.processInfo.environment)
        if unfinished.wasBegun {
            Output.note("The same list was cut off before: what is in already isn't added twice.")
        }
        return unfinished
    }
}
