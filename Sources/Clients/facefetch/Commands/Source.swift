import ArgumentParser
import ControlAPI

/// `facefetch source`: places that list pictures, which the daemon keeps up with.
struct Source: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source",
        abstract:
            "Keeps up with a place that lists pictures: a manifest, a paged API, a feed, a bucket, a table.",
        discussion: """
            A source is described by a recipe, YAML or JSON, whose fields facefetch-source(5) explains. \
            The daemon walks the place, turns its items into jobs, remembers where it is and what it \
            knows, and looks again from time to time.

            EXAMPLES
              facefetch source recipes           worked recipes, for places that many know
              facefetch source new mars          writes mars.yaml to start from
              facefetch source try mars.yaml     the first page's items; nothing is stored
              facefetch source add mars.yaml     begin
              facefetch source list              how all of them are
              facefetch source poll mars         look again now
            """,
        subcommands: [
            SourceRecipes.self, SourceNew.self,
            SourceTry.self, SourceAdd.self, SourceApply.self, SourceList.self, SourceShow.self,
            SourcePoll.self, SourceMore.self, SourcePause.self, SourceResume.self, SourceRemove.self,
        ]
    )
}

/// `facefetch source try`: what a recipe makes of a page.
struct SourceTry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Prints what a recipe makes of its first page; nothing is stored.",
        discussion: """
            The daemon asks for the page, so that its settings and secrets hold. Each item is a line of \
            JSON with the keys url, key, name, sha256, priority and meta; the last line has next, more \
            and total, and the sitemaps of an index. What can't be read is told on standard error.

            EXAMPLES
              facefetch source try mars.yaml
              facefetch source try mars.yaml --page saved.json
              curl -D head.txt -o saved.json https://blog.example/wp-json/wp/v2/media
              facefetch source try blog.yaml --page saved.json --headers head.txt
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp("The recipe; - is standard input.", valueName: "file"),
        completion: .file()
    )
    var recipe: String

    @Option(
        help: ArgumentHelp("A page that was fetched before, instead of the first.", valueName: "file"),
        completion: .file()
    )
    var page: String?

    @Option(
        help: ArgumentHelp("The head of that page's response, as curl -D saves it.", valueName: "file"),
        completion: .file()
    )
    var headers: String?

    func validate() throws {
        if headers != nil, page == nil {
            throw ValidationError("Give the page to these header fields with --page.")
        }
    }

    func run() throws {
        let asked = SourceTrialRequest(
            recipe: try TextFile.read(recipe, what: "The recipe"),
            page: try page.map(pageText),
            headers: try headers.map { try TextFile.read($0, what: "The head") }
        )
        let trial = try connection.client().tryOut(asked)
        let output = Output()
        for item in trial.items { try output.line(JSONLine.text(item)) }
        try output.line(JSONLine.text(SourceTrialEnd(trial)))
        try output.flush()
        let request = trial.request.safeForTerminal
        Output.note(
            page == nil ? "asked for \(request)" : "read as the page \(request), and asked nobody for it"
        )
        for note in trial.notes { Output.note(note.safeForTerminal) }
        for complaint in trial.bad { Output.note(complaint.safeForTerminal) }
    }
}

extension SourceTry {
    /// Returns the text of a page; bytes that are no UTF-8 would not reach the daemon as they are.
    fileprivate func pageText(_ path: String) throws(ClientError) -> String {
        let bytes = try TextFile.bytes(path, what: "The page")
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let what = bytes.starts(with: [0x1F, 0x8B]) ? "is compressed" : "is not UTF-8"
        throw .usage(
            "The page \(path.safeForTerminal) \(what), and can't be handed to the daemon; \"facefetch-lister --recipe "
                + "FILE PAGE\" reads it as it is."
        )
    }
}

/// The last line of `source try`.
struct SourceTrialEnd: APIObject {
    /// The next page, whether there is one, and how many items there are.
    var next: String?
    var more: Bool?
    var total: Int?
    /// The sitemaps of an index; nil if the page is none.
    var sitemaps: [SourceTrialJSON.Sitemap]?

    init(_ trial: SourceTrialJSON) {
        (next, more, total) = (trial.next, trial.more, trial.total)
        if !trial.sitemaps.isEmpty { sitemaps = trial.sitemaps }
    }

    static let shape = Shape<SourceTrialEnd>("SourceTrialEnd", CodingKeys.self) {
        $0.member(.next, \.next)
        $0.member(.more, \.more)
        $0.member(.total, \.total)
        $0.member(ifKnown: .sitemaps, \.sitemaps)
    }
}

/// `facefetch source add`: begins to keep up with a place.
struct SourceAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a source by its recipe, or by the fields of a short one.",
        discussion: """
            A recipe that doesn't say its name gets that of its file.

            EXAMPLES
              facefetch source add mars.yaml
              facefetch source add --name news --kind feed --url https://example.org/feed.xml
              facefetch source add --name picsum --url https://picsum.photos/v2/list \\
                --items '.[]' --job-url .download_url --next link
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp("The recipe; - is standard input.", valueName: "file"),
        completion: .file()
    )
    var recipe: String?

    @Option(help: "The name of the source; with a file, where the recipe in it has none.")
    var name: String?

    @OptionGroup var fields: RecipeOptions

    @Flag(help: "Prints one line of JSON.")
    var json = false

    func validate() throws {
        guard (recipe == nil) != (fields.url == nil) else {
            throw ValidationError("Give either the file of a recipe, or --name and --url.")
        }
        if recipe == nil, name == nil { throw ValidationError("Give the source a name with --name.") }
        if recipe != nil, fields.hasMoreThanURL {
            throw ValidationError("The file has the recipe; write its fields there.")
        }
    }

    func run() throws {
        let client = try connection.client()
        let text = try recipe.map { try TextFile.read($0, what: "The recipe") } ?? fields.recipe()
        let fallback = name ?? recipe.flatMap(RecipeOptions.name(ofFile:))
        let source = try client.addSource(text, name: fallback)
        let output = Output()
        try output.line(
            json
                ? JSONLine.text(source)
                : "Added the source \(source.name.safeForTerminal); \"facefetch source show \(source.name.safeForTerminal)\" says how it is."
        )
        try output.flush()
    }
}

/// `facefetch source apply`: makes sources as their recipes say.
struct SourceApply: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Applies recipes: adds the sources that aren't there, and changes the others.",
        discussion: """
            Where url or kind is another than before, it may be another list: --reset says what is to be \
            forgotten of the old one.

            EXAMPLES
              facefetch source apply recipes/*.yaml
              facefetch source apply mars.yaml --reset cursor
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: ArgumentHelp("The recipes.", valueName: "file"), completion: .file())
    var recipes: [String]

    @Option(
        help: ArgumentHelp(
            "What is forgotten of a source whose list is another: cursor (where it stands) or keys (what items it knows, too).",
            valueName: "what"
        ),
        completion: .list(["cursor", "keys"])
    )
    var reset: String?

    @Flag(help: "Prints JSON Lines, one for each source.")
    var json = false

    func validate() throws {
        if let reset, !["cursor", "keys"].contains(reset) {
            throw ValidationError("--reset is \(reset.safeForTerminal); it takes cursor or keys.")
        }
    }

    func run() throws {
        let client = try connection.client()
        let output = Output()
        for file in recipes {
            let text = try TextFile.read(file, what: "The recipe")
            let source = try client.applySource(text, name: RecipeOptions.name(ofFile: file), reset: reset)
            try output.line(json ? JSONLine.text(source) : "Applied \(source.name.safeForTerminal).")
            try output.flush()
        }
    }
}
