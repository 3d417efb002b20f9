extension Recipe {
    /// Reads the section `vars`.
    static func readVariables(_ reader: inout RecipeReader) -> [RecipeVariable] {
        reader.entries("vars").compactMap { entry in
            let path = "vars.\(entry.name)"
            guard Names.isVariable(entry.name) else {
                reader.problem(
                    path,
                    "a variable's name is letters, digits and underscores, and begins with a letter"
                )
                return nil
            }
            do throws(RecipeProblem) {
                return RecipeVariable(entry.name, try variable(entry.value, path: path))
            } catch {
                reader.add([error])
                return nil
            }
        }
    }

    private static func variable(
        _ value: RecipeValue,
        path: String
    ) throws(RecipeProblem) -> RecipeVariable.Value {
        if let text = RecipeReader.scalar(value) { return .text(text) }
        if case .list(let values) = value { return .each(try texts(values, path: path)) }
        guard case .map(let entries) = value else {
            throw RecipeProblem(path, "give a text, a number, a list, or a mapping, not \(value.noun)")
        }
        let fields = Dictionary(entries.map { ($0.name, $0.value) }) { first, _ in first }
        let known = RecipeSchema.names(in: "vars.NAME")
        for name in fields.keys.sorted() where !known.contains(name) {
            throw RecipeProblem(
                "\(path).\(name)",
                "there is no such field: a variable has \(known.joined(separator: ", "))"
            )
        }
        let fallback = try fields["default"].map { (value) throws(RecipeProblem) in
            guard let text = RecipeReader.scalar(value) else {
                throw RecipeProblem("\(path).default", "give a text or a number, not \(value.noun)")
            }
            return text
        }
        guard ["secret", "range", "choices"].filter({ fields[$0] != nil }).count == 1 else {
            throw RecipeProblem(path, "give one of secret, range and choices")
        }
        if let secret = fields["secret"] { return .secret(try self.secret(secret, path), fallback: fallback) }
        if let choices = fields["choices"] {
            guard case .list(let values) = choices else {
                throw RecipeProblem("\(path).choices", "give a list, not \(choices.noun)")
            }
            let texts = try texts(values, path: "\(path).choices")
            guard texts.contains(fallback ?? texts[0]) else {
                throw RecipeProblem("\(path).default", "this is not a choice; give \(Spelling.list(texts))")
            }
            return .choice(texts, chosen: fallback ?? texts[0])
        }
        guard fallback == nil else { throw RecipeProblem("\(path).default", "a range has no default") }
        return .each(try range(fields["range"] ?? .null, path: "\(path).range"))
    }

    /// Reads a secret's name, which is one plain word, so that it can't lead out of the directory of
    /// secrets.
    static func secret(_ value: RecipeValue, _ path: String) throws(RecipeProblem) -> String {
        guard let name = RecipeReader.scalar(value), Names.isWord(name) else {
            throw RecipeProblem(
                "\(path).secret",
                "give the secret's name, one plain word of letters, digits, dots, dashes and underscores"
            )
        }
        return name
    }

    private static func texts(_ values: [RecipeValue], path: String) throws(RecipeProblem) -> [String] {
        let texts = values.compactMap(RecipeReader.scalar)
        guard !texts.isEmpty, texts.count == values.count, texts.count <= RecipeVariable.mostSlices else {
            throw RecipeProblem(path, "give a list of 1 to \(RecipeVariable.mostSlices) texts or numbers")
        }
        return texts
    }

    /// Reads a range such as `100-105`, which may also descend, and keeps leading zeros.
    private static func range(_ value: RecipeValue, path: String) throws(RecipeProblem) -> [String] {
        let text = RecipeReader.scalar(value) ?? ""
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count <= 2, let first = ends.first, let last = ends.last, let from = Int(first),
            let to = Int(last),
            first.utf8.count <= 15, last.utf8.count <= 15, from >= 0, to >= 0,
            abs(to - from) < RecipeVariable.mostSlices
        else {
            throw RecipeProblem(
                path,
                "give two numbers with a dash between, such as 100-105, at most \(RecipeVariable.mostSlices) apart"
            )
        }
        let width = first.hasPrefix("0") && first.count == last.count ? first.count : 0
        return stride(from: from, through: to, by: from <= to ? 1 : -1).map { number in
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
    }

    /// Reads the section `headers`.
    static func readHeaders(_ reader: inout RecipeReader) -> [RecipeHeader] {
        reader.entries("headers").compactMap { entry in
            let path = "headers.\(entry.name)"
            guard Names.isHeader(entry.name) else {
                reader.problem(path, "this is not the name of a header field (RFC 9110 §5.1)")
                return nil
            }
            if let word = Names.forbiddenHeader(entry.name) {
                reader.problem(path, word)
                return nil
            }
            do throws(RecipeProblem) {
                return RecipeHeader(name: entry.name, value: try header(entry.value, path: path))
            } catch {
                reader.add([error])
                return nil
            }
        }
    }

    private static func header(_ value: RecipeValue, path: String) throws(RecipeProblem) -> RecipeHeader.Value
    {
        if case .map(let entries) = value {
            guard entries.count == 1, entries[0].name == "secret" else {
                throw RecipeProblem(path, "give a text, or {secret: NAME}")
            }
            return .secret(try secret(entries[0].value, path))
        }
        guard let text = RecipeReader.scalar(value), text.utf8.count <= 8192,
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw RecipeProblem(path, "give a text of one line, at most 8 KiB, or {secret: NAME}") }
        do throws(URLTemplate.Problem) {
            return .text(try URLTemplate(text))
        } catch {
            throw RecipeProblem(path, error.message)
        }
    }

    /// Reads the section `slices`.
    static func readSlices(_ reader: inout RecipeReader) -> SliceRecipe? {
        guard let value = reader.value("slices") else { return nil }
        var section = RecipeReader(value, section: reader.path("slices"))
        defer { reader.add(section.problems) }
        let url = readTemplate(&section, "url")
        let each = section.expression("each")
        if !section.has("url") { section.problem("url", "this is needed: the page that lists the slices") }
        if !section.has("each") { section.problem("each", "this is needed: a jq expression for the slices") }
        var slices = SliceRecipe(url: url ?? .empty, each: each ?? "")
        slices.key = section.expression("key") ?? slices.key
        slices.changed = section.expression("changed")
        slices.order = section.word("order", SliceOrder.self) ?? slices.order
        slices.next = section.expression("next").map { $0 == "link" ? .link : .expression($0) }
        if reader.section.isEmpty { slices.slices = readSlices(&section) }
        for entry in section.entries("vars") {
            guard Names.isVariable(entry.name) else {
                section.problem(
                    "vars.\(entry.name)",
                    "a variable's name is letters, digits and underscores, and begins with a letter"
                )
                continue
            }
            guard let expression = RecipeReader.scalar(entry.value), !expression.isEmpty else {
                section.problem("vars.\(entry.name)", "give a jq expression, not \(entry.value.noun)")
                continue
            }
            slices.variables.append(SliceVariable(name: entry.name, expression: expression))
        }
        return slices
    }
}
