import Vocabulary

extension Recipe {
    /// Reads a recipe, or reports everything that is wrong with it at once.
    ///
    /// - Parameters:
    ///   - value: the recipe as a tree.
    ///   - name: the name of the source, unless the recipe gives one.
    public init(reading value: RecipeValue, name given: String? = nil) throws(RecipeRefusal) {
        var reader = RecipeReader(value)
        guard case .map = value else { throw RecipeRefusal(reader.problems) }
        let name = Self.readName(&reader, given: given)
        let url = Self.readTemplate(&reader, "url")
        if !reader.has("url") { reader.problem("url", "this is needed: the URL of the first page") }
        var recipe = Recipe(name: name ?? "", url: url ?? .empty)
        recipe.kind = Self.readKind(&reader) ?? (reader.has("s3") ? .s3 : .json)
        recipe.variables = Self.readVariables(&reader)
        recipe.headers = Self.readHeaders(&reader)
        recipe.slices = Self.readSlices(&reader)
        recipe.request = recipe.readRequest(&reader)
        recipe.readItems(&reader)
        recipe.readWalk(&reader)
        recipe.readLimits(&reader)
        recipe.readTable(&reader)
        recipe.s3 = recipe.readS3(&reader)
        if url != nil { recipe.checkWhole(&reader) }
        guard reader.problems.isEmpty else { throw RecipeRefusal(reader.problems) }
        self = recipe
    }

    private static func readName(_ reader: inout RecipeReader, given: String?) -> String? {
        guard let name = reader.has("name") ? reader.scalar("name") : given else {
            reader.problem("name", "this is needed: a word by which the source is known")
            return nil
        }
        guard Names.isWord(name) else {
            reader.problem(
                "name",
                "give a word of at most 63 letters, digits, dots, dashes and underscores that begins with a "
                    + "letter or a digit"
            )
            return nil
        }
        guard name != Names.reserved else {
            reader.problem(
                "name",
                "no source can be called \(name), since /v1/sources/\(name) is where recipes are tried; choose "
                    + "another name"
            )
            return nil
        }
        return name
    }

    static func readTemplate(_ reader: inout RecipeReader, _ field: String) -> URLTemplate? {
        guard let text = reader.text(field) else { return nil }
        do throws(URLTemplate.Problem) {
            return try URLTemplate(text)
        } catch {
            reader.problem(field, error.message)
            return nil
        }
    }

    private mutating func readItems(_ reader: inout RecipeReader) {
        items = reader.expression("items")
        select = reader.expression("select")
        more = reader.expression("more")
        total = reader.expression("total")
        next = reader.expression("next").map { $0 == "link" ? .link : .expression($0) }
        if let value = reader.value("job") {
            var job = RecipeReader(value, section: "job")
            self.job.url = job.expression("url")
            self.job.key = job.expression("key")
            self.job.name = job.expression("name")
            self.job.folder = job.expression("folder")
            self.job.sha256 = job.expression("sha256")
            self.job.priority = job.expression("priority")
            self.job.meta = Self.readMeta(&job)
            reader.add(job.problems)
        }
        if kind == .json || kind == .xml, !reader.isWrong("kind") {
            if !reader.has("items") {
                reader.problem("items", "kind \(kind) needs this: a jq expression for the items")
            }
            if job.url == nil {
                reader.problem("job.url", "kind \(kind) needs this: a jq expression for the picture's URL")
            }
        }
    }

    /// Reads one expression, or a mapping of names to expressions, which is combined into one.
    private static func readMeta(_ job: inout RecipeReader) -> String? {
        guard case .map? = job.value("meta") else { return job.expression("meta") }
        var parts: [String] = []
        for entry in job.entries("meta") {
            guard let expression = RecipeReader.scalar(entry.value), !expression.isEmpty else {
                job.problem("meta.\(entry.name)", RecipeReader.quoteless)
                continue
            }
            parts.append("\(Names.quoted(entry.name)): (\(expression))")
        }
        return "{\(parts.joined(separator: ", "))}"
    }

    private mutating func readWalk(_ reader: inout RecipeReader) {
        order = reader.word("order", ListOrder.self) ?? order
        mode = reader.word("mode", WalkMode.self) ?? mode
        ahead = reader.integer("ahead", in: 1...10_000_000) ?? ahead
        insecure = reader.word("insecure", PlainHTTP.self)
        priority = reader.integer("priority", in: -100...100) ?? priority
        weight = reader.integer("weight", in: 1...1000) ?? weight
        refresh = reader.word("refresh", RefreshRule.self) ?? refresh
        keep = reader.word("keep", KeepRule.self) ?? keep
        queue = reader.word("queue", QueueRule.self) ?? queue
        pace = reader.parsed("pace", "a number of requests per time, such as 30/h", SourcePace.init(_:))
        let form = "never, or \(DurationText.form(Self.intervals))"
        let interval = reader.parsed("every", form, Self.interval)
        every = interval ?? (kind.isStreamed ? nil : 6 * 3600)
        if case .some(.none) = interval { every = nil }
        if let full = reader.parsed("full_every", form, Self.interval) { fullEvery = full }
    }

    /// The allowed intervals in seconds: ten years at most.
    private static let intervals = 60...3660 * 86_400.0

    /// Parses an interval; `.some(nil)` means never.
    private static func interval(_ text: String) -> Double?? {
        if text == "never" { return .some(nil) }
        // Blanks have always been allowed anywhere here, also between digits.
        let text = text.filter { $0 != " " }
        return DurationText.seconds(text, in: intervals, bare: nil, mayBeCapital: false).map { .some($0) }
    }

    private mutating func readLimits(_ reader: inout RecipeReader) {
        if kind.isStreamed { limits.items = 10_000_000 }
        guard let value = reader.value("limits") else { return }
        var section = RecipeReader(value, section: "limits")
        limits.pages = section.integer("pages", in: 1...1_000_000) ?? limits.pages
        limits.items = section.integer("items", in: 1...100_000_000) ?? limits.items
        limits.knownPages = section.integer("known_pages", in: 1...1000) ?? limits.knownPages
        let form = "a size from 1 KiB to 256 MiB, written like \(AmountText.examples)"
        let bytes = section.parsed("page_bytes", form) { AmountText.bytes($0, in: 1024...256 << 20) }
        limits.pageBytes = bytes.map { Int($0) } ?? limits.pageBytes
        if kind.isStreamed {
            for name in ["pages", "page_bytes", "known_pages"] where section.has(name) {
                section.problem(name, "kind \(kind.rawValue) is read row by row and knows only limits.items")
            }
        }
        reader.add(section.problems)
    }
}
