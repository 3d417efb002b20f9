import ArgumentParser
import Confinement
import Glibc
import SourceCore
import Vocabulary

/// Reads a page that a person has fetched, and prints the items that a recipe finds in it.
struct PageReport {
    /// The number of rows of a long list to read at a time.
    static let rows = 20_000

    let recipeFile: String
    let page: String
    /// The file with the head of the page's response; nil for none.
    let headFile: String?
    let isManifest: Bool
    let url: String?
    /// Variables that take precedence over the recipe's.
    let variables: [String: String]

    func run(limit: Duration, requireLandlock: Bool) throws {
        let recipe = try readRecipe(limit: limit, requireLandlock: requireLandlock)
        let page = try pagePath()
        let head = try headFile.map(self.head)
        guard let program = isManifest ? ListerProgram(slicesOf: recipe) : ListerProgram(recipe) else {
            complain("the recipe has no slices")
            throw ExitCode(2)
        }
        let readers = try Readers(program, limit: limit)
        try readers.awaitReady(requireLandlock: requireLandlock)
        let greeting = try readers.greeting()
        for problem in greeting.problems { complain("\(problem.field): \(problem.message)") }
        guard greeting.problems.isEmpty else { throw ExitCode(2) }
        try Sandbox(ofListerReading: [page], requireLandlock: requireLandlock).close()
        if let warning = greeting.warning { complain(warning) }
        let address = try pageAddress(recipe)
        let printer = ItemPrinter(recipe: recipe, page: address.url, isManifest: isManifest)
        var request = ListerRequest(
            id: 1,
            path: page,
            url: address.shown,
            links: head?.links ?? [:],
            headers: head?.fields ?? [:],
            variables: address.variables,
            rows: .init(most: Self.rows)
        )
        while let rows = try read(request, readers, printer) { request.rows = rows }
    }

    /// Reads the page or some of its rows; returns where to continue, if anywhere.
    private func read(
        _ request: ListerRequest,
        _ readers: Readers,
        _ printer: ItemPrinter
    ) throws -> ListerRequest.Rows? {
        var children: [ListedPage.Child] = []
        for frame in readers.read(request) {
            switch frame.kind {
            case .items: try printer.print(try frame.decode([ListedItem].self))
            case .children: children += try frame.decode([ListedPage.Child].self)
            case .page:
                var page = try frame.decode(ListedPage.self)
                page.children = children
                for note in [page.seen].compactMap(\.self) + (page.notes ?? []) { complain(note) }
                for bad in page.badItems { complain("item \(bad.number): \(bad.message)") }
                if page.bad > page.badItems.count {
                    complain("and \(page.bad - page.badItems.count) more items")
                }
                if case .rows(let rows)? = page.next { return rows }
                try printer.print(page)
            default:
                let failure = try frame.decode(ListerFailure.self)
                complain("\(failure.code): \(failure.message)")
                if let excerpt = failure.excerpt { complain("it begins with: \(excerpt)") }
                throw ExitCode(1)
            }
        }
        return nil
    }

    /// Returns the path of the page itself: Landlock doesn't take that of a link to it, such as `/dev/stdin`.
    private func pagePath() throws -> String {
        var status = stat()
        guard stat(page, &status) == 0 else {
            complain("\(page): \(String(cString: strerror(errno)))")
            throw ExitCode(1)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            complain("\(page) is not a file, and a page may be read twice; save it, and give the file's name")
            throw ExitCode(2)
        }
        guard let path = realpath(page, nil) else { return page }
        defer { free(path) }
        return String(cString: path)
    }

    private func readRecipe(limit: Duration, requireLandlock: Bool) throws -> Recipe {
        let readers = try Readers(ListerProgram.recipes, limit: limit)
        try readers.awaitReady(requireLandlock: requireLandlock)
        let request = RecipeRequest(try recipeText(), name: "recipe")
        guard let frame = readers.read(request) else {
            complain("\(recipeFile): the process that reads recipes said nothing")
            throw ExitCode(1)
        }
        if frame.kind == .failure {
            complain("\(recipeFile): \(try frame.decode(ListerFailure.self).message)")
            throw ExitCode(2)
        }
        let answer = try frame.decode(RecipeAnswer.self)
        do throws(RecipeRefusal) {
            return try answer.recipe(name: request.name)
        } catch {
            for problem in error.problems { complain("\(recipeFile): \(problem)") }
            throw ExitCode(2)
        }
    }

    private func recipeText() throws -> String {
        try text(of: recipeFile, limit: RecipeRequest.maximumLength)
    }

    /// Returns the text of a file that a person has named, or what is more than enough of it.
    private func text(of path: String, limit: Int) throws -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            complain("\(path): \(String(cString: strerror(errno)))")
            throw ExitCode(2)
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let piece = Streams.read(from: file, into: &buffer)
            if piece.isEmpty { break }
            bytes += piece
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func head(_ path: String) throws -> SavedHead {
        if let head = SavedHead(try text(of: path, limit: SavedHead.longest)) { return head }
        complain("\(path) is not the head of a response, a header field a line; curl -D saves one")
        throw ExitCode(2)
    }

    /// Returns the page's URL, with secrets as variables.
    private func pageAddress(
        _ recipe: Recipe
    ) throws -> (url: URLReference, shown: String, variables: [String: String]) {
        var recipe = recipe
        for (name, value) in variables {
            recipe.variables.removeAll { $0.name == name }
            recipe.variables.append(RecipeVariable(name, .text(value)))
        }
        let placeholders = Dictionary(recipe.secrets.map { ($0, "SECRET-\($0)") }) { first, _ in first }
        // Variables of slices and ranges get the values given, or else their own names.
        var slice = Slice(key: "")
        for variable in recipe.variables { slice.variables[variable.name] = variable.slices?.first }
        for variable in recipe.sliceVariables where variables[variable.name] == nil {
            slice.variables[variable.name] = variable.name
        }
        for (name, value) in variables { slice.variables[name] = value }
        let values = try Variables(recipe: recipe, slice: slice, secrets: placeholders)
        let template = isManifest ? recipe.slices?.url ?? recipe.url : recipe.url
        let filled = try url ?? template.filled(values)
        return (URLReference(filled), values.unfilled(filled), values.visible)
    }

    private func complain(_ words: String) {
        Streams.say("facefetch-lister: \(words.plain)", to: STDERR_FILENO)
    }
}

extension String {
    /// The text without what could steer a terminal or hide what it says: pages are strangers' words, and so
    /// is much of what jq and expat say of them.
    var plain: String {
        var plain = UnicodeScalarView()
        for scalar in unicodeScalars { plain.append(scalar.steersTerminal ? "\u{FFFD}" : scalar) }
        return String(plain)
    }
}
