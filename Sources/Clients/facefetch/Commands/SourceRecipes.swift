import ArgumentParser
import Glibc
import SmallFiles

/// `facefetch source recipes`: the recipes that come with the program.
struct SourceRecipes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recipes",
        abstract: "Lists the worked recipes to start from.",
        discussion: """
            Each is for a place that many know, or for a way in which many places list their pictures. \
            facefetch source new writes one into a file, to be changed there. With --json, a line has name, \
            about, change (what is to be changed), know (keys, rates and terms) and file.

            FILES
              /usr/share/facefetch/recipes
            """
    )

    @Flag(help: "Prints JSON Lines.")
    var json = false

    func run() throws {
        let shelf = try RecipeShelf.find()
        let recipes = try shelf.names().map { name throws(ClientError) in try shelf.recipe(name) }
        let output = Output()
        if json {
            for recipe in recipes { try output.line(JSONLine.text(Self.line(recipe, shelf))) }
        } else {
            for line in Self.lines(recipes) { try output.line(line) }
        }
        try output.flush()
    }

    private static func line(_ recipe: WorkedRecipe, _ shelf: RecipeShelf) -> WorkedRecipe.Line {
        WorkedRecipe.Line(
            name: recipe.name,
            about: recipe.about,
            change: recipe.changes,
            know: recipe.facts,
            file: shelf.path(recipe.name)
        )
    }

    /// Returns the lines for people.
    static func lines(_ recipes: [WorkedRecipe]) -> [String] {
        var table = Table(columns: [.init(title: "RECIPE"), .init(title: "WHAT IT FOLLOWS")])
        table.rows = recipes.map { [$0.name.safeForTerminal, $0.about.safeForTerminal] }
        return table.lines(width: nil) + [
            "", "\"facefetch source new NAME --from RECIPE\" writes one into NAME.yaml, to be changed there.",
        ]
    }
}

/// `facefetch source new`: writes a recipe to start from.
struct SourceNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Writes a recipe to start from into a file.",
        discussion: """
            The file is NAME.yaml in the current directory, unless --out says otherwise; one that is there \
            already is never written over. Without --from, it is the worked recipe of that name, or else \
            \(RecipeShelf.plainest), the plainest one. What is to be changed in it, and how to try it, is \
            printed.

            EXAMPLES
              facefetch source recipes                         what there is
              facefetch source new mastodon                    writes mastodon.yaml
              facefetch source new cats --from commons-category
              facefetch source new cats --from flickr --out /etc/facefetch/sources.d/cats.yaml
            """
    )

    @Argument(
        help: ArgumentHelp("The name of the source to be.", valueName: "name"),
        completion: NameCompletion.recipes
    )
    var name: String

    @Option(
        help: ArgumentHelp("The worked recipe to start from.", valueName: "recipe"),
        completion: NameCompletion.recipes
    )
    var from: String?

    @Option(
        help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
        completion: .file()
    )
    var out: String?

    func validate() throws {
        guard WorkedRecipe.isName(name) else {
            throw ValidationError(
                "\(name.safeForTerminal) can't be the name of a source: a name has letters, digits, dots, dashes "
                    + "and underscores, at most 63, and begins with one of the first two; \"try\" has a "
                    + "meaning of its own."
            )
        }
        if let out, out.isEmpty { throw ValidationError("--out needs a file, or - for standard output.") }
    }

    func run() throws {
        let shelf = try RecipeShelf.find()
        let names = try shelf.names()
        let recipe = try shelf.recipe(try Self.start(of: name, from: from, among: names))
        guard let text = recipe.text(named: name) else {
            throw ClientError.unsuccessful(
                "The recipe \(shelf.path(recipe.name).safeForTerminal) has no name."
            )
        }
        let path = out ?? "\(name).yaml"
        let output = Output()
        if path == "-" {
            output.raw(text)
        } else {
            try NewRecipeFile.write(text, to: path)
            for line in Self.advice(recipe, path) { try output.line(line) }
        }
        try output.flush()
        if from == nil, recipe.name != name, let near = RecipeShelf.similar(to: name, among: names) {
            Output.note("there is a recipe \(near), too: --from \(near) begins with that")
        }
    }

    /// Returns the name of the recipe to start from.
    ///
    /// - Throws: ``ClientError`` where the source's name looks like a slip for a recipe's.
    static func start(of name: String, from: String?, among names: [String]) throws(ClientError) -> String {
        if let from { return from }
        if names.contains(name) { return name }
        if let near = CommandSuggestion.nearest(to: name, among: names),
            CommandSuggestion.editDistance(near, name) <= max(1, near.count / 4)
        {
            throw .usage(
                "There is no recipe \"\(name.safeForTerminal)\". Did you mean \"facefetch source new \(near)\"? For "
                    + "another source of this name, say where to start: --from \(RecipeShelf.plainest)."
            )
        }
        return RecipeShelf.plainest
    }

    /// Returns what to do with a recipe that was written.
    static func advice(_ recipe: WorkedRecipe, _ path: String) -> [String] {
        let file = shellWord(path)
        return [
            "Wrote \(path.safeForTerminal), from the recipe \(recipe.name): \(recipe.about)".safeForTerminal
        ]
            + recipe.changes.map { "Change: \($0)".safeForTerminal }
            + recipe.facts.map { "Know: \($0)".safeForTerminal }
            + ["Try it: facefetch source try \(file)", "Begin:  facefetch source add \(file)"]
    }
}

extension SourceNew {
    /// Returns a path as one word of a command line.
    static func shellWord(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "./_-+,:@%".utf8.contains(byte)
            }
        }
        let word = path.hasPrefix("-") ? "./\(path)" : path
        return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}

/// Writes a recipe into a file that isn't there yet.
enum NewRecipeFile {
    /// Writes a text into a new file.
    ///
    /// - Throws: ``ClientError`` if something of this name is there, or it can't be written; then nothing of it
    ///   is left.
    static func write(_ text: String, to path: String) throws(ClientError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw .usage(
                    "\(path.safeForTerminal) is there already, and stays as it is: name another file with --out."
                )
            }
            throw failure(path, errno)
        }
        defer { close(descriptor) }
        do throws(FileFailure) { try WholeFile.write(Array(text.utf8), to: descriptor) } catch {
            unlink(path)
            throw failure(path, error.number)
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> ClientError {
        .unsuccessful("\(path.safeForTerminal) can't be written: \(String(cString: strerror(number))).")
    }
}
