import SourceCore

/// A recipe as it is shown: without passwords in URLs, and without the values of header fields.
///
/// Whoever may look sees every recipe, and a header field often is a key that somebody has typed in. What
/// names a secret stays, since it says nothing.
enum ShownRecipe {
    /// The placeholder for a value that isn't shown.
    static let hidden = "(hidden)"
    /// The most values that are looked for in a recipe's text, since each costs a pass over it.
    private static let mostValues = 100

    /// Returns a recipe for people: as it was given, where only the hidden values are others.
    ///
    /// A value can be written in many ways. So the text is read again, and where something else has come of
    /// it than of the recipe without those values, these are written anew.
    static func text(of given: String, _ recipe: RecipeValue) -> String {
        var hider = Hider(recipe)
        let shown = hider.shown
        let values = hider.values.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
        guard values.count <= mostValues else { return shown.json + "\n" }
        let text = values.reduce(UserInformation.masked(in: given)) { text, value in
            text.replacingBytes(of: value, with: hidden)
        }
        if text == given, shown == recipe { return given }
        let again = try? RecipeText.value(text)
        return again == shown ? text : shown.json + "\n"
    }
}

/// Removes from a recipe what isn't shown.
private struct Hider {
    private let recipe: RecipeValue
    /// The variables whose values get into header fields, or in front of the `@` of a URL.
    private var variables: Set<String> = []
    /// Values that were removed, as text.
    private(set) var values: Set<String> = []

    init(_ recipe: RecipeValue) {
        self.recipe = recipe
        variables = Set(Self.texts(in: recipe).flatMap(UserInformation.all).flatMap(Self.variables))
        for header in Self.entries(recipe, "headers") {
            if case .text(let text) = header.value { variables.formUnion(Self.variables(text)) }
        }
    }

    /// The recipe as it is shown.
    var shown: RecipeValue {
        mutating get {
            guard case .map(let entries) = recipe else { return masked(recipe) }
            var result: [RecipeValue.Entry] = []
            for entry in entries {
                var value = masked(entry.value, isURL: entry.name == "url")
                if case .map(let inner) = value {
                    value = .map(inner.map { .init($0.name, field($0, of: entry.name)) })
                }
                result.append(.init(entry.name, value))
            }
            return .map(result)
        }
    }

    /// The value of a field as it is shown with its section.
    private mutating func field(_ field: RecipeValue.Entry, of section: String) -> RecipeValue {
        switch section {
        case "headers": hidden(field.value)
        case "vars" where variables.contains(field.name): hidden(field.value)
        case "slices": masked(field.value, isURL: field.name == "url")
        default: field.value
        }
    }

    /// A value without what it says; the name of a secret stays.
    private mutating func hidden(_ value: RecipeValue) -> RecipeValue {
        switch value {
        case .null: return value
        case .bool(let value): return hidden(text: "\(value)")
        case .integer(let value): return hidden(text: "\(value)")
        case .decimal(let value): return hidden(text: "\(value)")
        case .text(let text): return hidden(text: text)
        case .list(let values): return .list(values.map { hidden($0) })
        case .map(let entries):
            return .map(entries.map { .init($0.name, $0.name == "secret" ? $0.value : hidden($0.value)) })
        }
    }

    private mutating func hidden(text: String) -> RecipeValue {
        if !text.isEmpty { values.insert(text) }
        return .text(ShownRecipe.hidden)
    }

    private func masked(_ value: RecipeValue, isURL: Bool = false) -> RecipeValue {
        switch value {
        case .text(let text):
            .text(isURL ? UserInformation.masked(url: text) : UserInformation.masked(in: text))
        case .list(let values): .list(values.map { masked($0) })
        case .map(let entries):
            .map(entries.map { .init($0.name, masked($0.value, isURL: $0.name == "url")) })
        case .null, .bool, .integer, .decimal: value
        }
    }

    private static func entries(_ value: RecipeValue, _ name: String) -> [RecipeValue.Entry] {
        guard case .map(let sections) = value,
            case .map(let entries)? = sections.first(where: { $0.name == name })?.value
        else { return [] }
        return entries
    }

    private static func texts(in value: RecipeValue) -> [String] {
        switch value {
        case .text(let text): [text]
        case .list(let values): values.flatMap(texts)
        case .map(let entries): entries.flatMap { texts(in: $0.value) }
        case .null, .bool, .integer, .decimal: []
        }
    }

    private static func variables(_ text: String) -> [String] { (try? URLTemplate(text).names) ?? [] }
}
