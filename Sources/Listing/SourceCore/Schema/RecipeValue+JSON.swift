extension RecipeValue {
    /// The value as JSON on one line, which is YAML as well.
    public var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .text(let text): Names.quoted(text)
        case .list(let values): "[\(values.map(\.json).joined(separator: ", "))]"
        case .map(let entries):
            "{\(entries.map { "\(Names.quoted($0.name)): \($0.value.json)" }.joined(separator: ", "))}"
        }
    }
}
