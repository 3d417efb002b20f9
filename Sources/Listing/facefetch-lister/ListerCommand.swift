import ArgumentParser
import Confinement
import ControlAPI
import Glibc
import SourceCore

/// The command `facefetch-lister`, which reads a page of a source by its recipe, by hand or for the
/// daemon.
@main
struct ListerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facefetch-lister",
        abstract: "Prints the items that a recipe finds in a page.",
        usage: "facefetch-lister --recipe FILE [--slices] [--url URL] [--headers FILE] PAGE",
        discussion: """
            PAGE is a file that was fetched before. Each item is a line of
            JSON with the keys url, key, name, sha256, priority and meta; with
            --slices, key, changed and vars. The last line has next, more and
            total. Items that can't be read are reported on standard error
            with their number, or their line in a table.

            The page is read by a process of its own, in a sandbox that can't
            open, connect or start anything. facefetch-source(5) has the fields
            of recipes.

            EXIT STATUS
              0  the page was read
              1  the page can't be read, or isn't what the recipe says
              2  bad usage, or a recipe that makes no sense

            EXAMPLES
              curl -o page.json https://picsum.photos/v2/list
              facefetch-lister --recipe picsum.yaml page.json
              curl -D head.txt -o media.json https://blog.example/wp-json/wp/v2/media
              facefetch-lister --recipe blog.yaml --headers head.txt media.json
            """,
        version: "facefetch-lister \(ProductVersion.current)"
    )

    @Option(help: ArgumentHelp("The recipe, YAML or JSON.", valueName: "file"), completion: .file())
    var recipe: String?

    @Flag(help: "Read the list of slices instead of a page.")
    var slices = false

    @Option(help: ArgumentHelp("The page's own URL, instead of the recipe's.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp("The head of the page's response, as curl -D saves it.", valueName: "file"),
        completion: .file()
    )
    var headers: String?

    @Option(help: ArgumentHelp("A variable, instead of the recipe's.", valueName: "name=value"))
    var `var`: [String] = []

    @Flag(help: .hidden)
    var fields = false

    @Option(help: .hidden)
    var timeLimit: Double = 30

    @Flag(help: .hidden)
    var serve = false

    @Option(help: .hidden)
    var checkSandbox: String?

    @Option(help: .hidden)
    var pages: [String] = []

    @Flag(
        help:
            "Refuse to work on a kernel without Landlock, instead of doing without that part of the sandbox."
    )
    var requireLandlock = false

    @Argument(help: ArgumentHelp("The page, as it was fetched.", valueName: "page"), completion: .file())
    var page: String?

    func validate() throws {
        guard (0.001...86_400).contains(timeLimit) else {
            throw ValidationError("--time-limit is \(timeLimit); give seconds, at most 86400")
        }
        if fields { return }
        if serve || checkSandbox != nil {
            if recipe != nil || page != nil {
                throw ValidationError("--serve and --check-sandbox take no recipe and no page")
            }
            return
        }
        guard recipe != nil, page != nil else {
            throw ValidationError(
                "give a recipe and a page, such as: facefetch-lister --recipe mars.yaml page.json"
            )
        }
        for text in `var` where !text.contains("=") {
            throw ValidationError("--var is \(text); give a name and a value, such as --var rover=curiosity")
        }
    }

    func run() throws {
        // The readers of our answers, or of the page, may have gone.
        signal(SIGPIPE, SIG_IGN)
        if fields {
            for field in RecipeSchema.fields { Streams.say(line(field), to: STDOUT_FILENO) }
            return
        }
        let limit = Duration.seconds(timeLimit)
        if let checkSandbox {
            return try check(sandboxAt: checkSandbox, limit: limit)
        }
        if serve {
            try RequestServer(limit: limit, requireLandlock: requireLandlock).run(pages: pages)
            return
        }
        guard let recipe, let page else { return }
        let variables = Dictionary(
            `var`.map { text in
                let name = text.prefix { $0 != "=" }
                return (String(name), String(text.dropFirst(name.count + 1)))
            }
        ) { _, last in last }
        try PageReport(
            recipeFile: recipe,
            page: page,
            headFile: headers,
            isManifest: slices,
            url: url,
            variables: variables
        )
        .run(limit: limit, requireLandlock: requireLandlock)
    }

    /// Tries what the sandboxes should refuse.
    private func check(sandboxAt inside: String, limit: Duration) throws {
        let check = SandboxCheck(inside: inside)
        let server = try ForkServer(.reading, limit: limit) { () throws(SandboxFailure) in
            let limits = Readers.limits(nil)
            try Readers.confine(limits)
            return check.work(limits: limits)
        }
        let sandbox = Sandbox(ofListerReading: [inside], requireLandlock: requireLandlock)
        let holds = try check.run(server, in: sandbox, requireLandlock: requireLandlock) { ending in
            ListerFailure(lost: ending, limit: limit)?.message
        }
        guard holds else { throw ExitCode(1) }
    }

    /// Returns the manual's entry for a field.
    private func line(_ field: RecipeField) -> String {
        var json = JSONWriter()
        json.text("path", field.path)
        json.text("expects", field.expects)
        json.textOrNull("fallback", field.fallback)
        json.text("meaning", field.meaning)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Replaces ArgumentParser's own main, so that wrong usage exits with 2 instead of sysexits' 64.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let status = exitCode(for: error)
            let text = fullMessage(for: error)
            if !text.isEmpty { Streams.say(text, to: status.isSuccess ? STDOUT_FILENO : STDERR_FILENO) }
            Self.exit(withError: ExitCode(status == .validationFailure ? 2 : status.rawValue))
        }
    }
}
