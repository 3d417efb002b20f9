/// Reads the fields of one section of a recipe and collects errors.
struct RecipeReader {
    /// The section's name; empty for the recipe itself.
    let section: String
    private let values: [String: RecipeValue]
    /// The errors found so far.
    private(set) var problems: [RecipeProblem] = []

    /// Creates a reader for a mapping, whose names must be those of the schema for this section.
    init(_ value: RecipeValue, section: String = "") {
        self.section = section
        guard case .map(let entries) = value else {
            values = [:]
            problem(
                "",
                section.isEmpty
                    ? "a recipe is a mapping, not \(value.noun)" : "give a mapping, not \(value.noun)"
            )
            return
        }
        var values: [String: RecipeValue] = [:]
        var doubles: [String] = []
        for entry in entries where values.updateValue(entry.value, forKey: entry.name) != nil {
            doubles.append(entry.name)
        }
        self.values = values.filter { $0.value != .null }
        for name in doubles { problem(name, "this field is given twice") }
        let known = RecipeSchema.names(in: section)
        let unknown = entries.filter { !known.contains($0.name) }
        for (index, entry) in unknown.enumerated() {
            let nearest = index < Spelling.mostMistakes ? Spelling.nearest(to: entry.name, in: known) : nil
            let advice = nearest.map { "; did you mean \($0)?" } ?? ""
            problem(entry.name, "there is no such field\(advice)")
        }
    }

    /// Returns the path of a field in this section.
    func path(_ name: String) -> String {
        name.isEmpty ? section : section.isEmpty ? name : "\(section).\(name)"
    }

    mutating func problem(_ name: String, _ message: String) { problems.append(.init(path(name), message)) }

    mutating func add(_ others: [RecipeProblem]) { problems += others }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns whether a field has an error, so that nothing can be said about what depends on it.
    func isWrong(_ name: String) -> Bool { problems.contains { $0.path == path(name) } }

    func value(_ name: String) -> RecipeValue? { values[name] }

    /// Reads a non-empty text.
    mutating func text(_ name: String) -> String? {
        switch values[name] {
        case nil: return nil
        case .text(let text) where !text.allSatisfy(\.isWhitespace):
            guard text.utf8.count <= 65_536 else {
                problem(name, "this is longer than 64 KiB")
                return nil
            }
            return text
        case .text?: problem(name, "this is empty")
        case let other?: problem(name, "give a text, not \(other.noun)")
        }
        return nil
    }

    /// Reads a jq expression.
    ///
    /// Numbers and words that YAML gives another type, such as true, are also expressions.
    mutating func expression(_ name: String) -> String? {
        switch values[name] {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .map?, .list?: quoteless(name)
        default: text(name)
        }
    }

    /// Says why an expression is none that YAML takes for a mapping or a list of its own.
    private mutating func quoteless(_ name: String) -> String? {
        problem(name, Self.quoteless)
        return nil
    }

    /// The advice about an expression that YAML takes for something of its own.
    static let quoteless = "give a jq expression; one that begins with { or [ goes between single quotes"

    /// Reads a text or a number as text.
    mutating func scalar(_ name: String) -> String? {
        guard let value = values[name] else { return nil }
        if let text = Self.scalar(value) { return text }
        problem(name, "give a text or a number, not \(value.noun)")
        return nil
    }

    static func scalar(_ value: RecipeValue) -> String? {
        switch value {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .bool(let value): "\(value)"
        case .null, .list, .map: nil
        }
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        switch values[name] {
        case nil: return nil
        case .integer(let value) where range.contains(value): return value
        case let other?:
            problem(name, "give a number from \(range.lowerBound) to \(range.upperBound), not \(other.noun)")
            return nil
        }
    }

    mutating func bool(_ name: String) -> Bool? {
        switch values[name] {
        case nil: return nil
        case .bool(let value): return value
        case let other?:
            problem(name, "give true or false, not \(other.noun)")
            return nil
        }
    }

    /// Reads a word of an enumeration.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ kind: Word.Type
    ) -> Word? {
        guard let value = values[name] else { return nil }
        if case .text(let text) = value, let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        problem(name, "give \(Spelling.list(words)), not \(value.noun)")
        return nil
    }

    /// Reads a text that has a form of its own.
    mutating func parsed<Result>(_ name: String, _ form: String, _ parse: (String) -> Result?) -> Result? {
        guard let value = values[name] else { return nil }
        if let text = Self.scalar(value), let result = parse(text) { return result }
        problem(name, "give \(form), not \(value.noun)")
        return nil
    }

    /// Reads the entries of a mapping with arbitrary names, in order.
    mutating func entries(_ name: String) -> [RecipeValue.Entry] {
        switch values[name] {
        case nil: return []
        case .map(let entries):
            var seen: Set<String> = []
            for entry in entries where !seen.insert(entry.name).inserted {
                problem("\(name).\(entry.name)", "this name is given twice")
            }
            return entries
        case let other?:
            problem(name, "give a mapping, not \(other.noun)")
            return []
        }
    }
}
