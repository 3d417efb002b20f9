/// What the variables of a recipe stand for while one page is asked for.
public struct Variables: Hashable, Sendable {
    private var plain: [String: String] = [:]
    /// Values that nobody may see, by the variable's name.
    private var secret: [String: String] = [:]

    /// No variables.
    public init() {}

    /// The variables of a recipe for one slice, whose own go before the recipe's.
    ///
    /// - Parameter secrets: the secrets by their names, as far as they are there.
    /// - Throws: ``MissingSecret`` for the first that is neither there nor has a default.
    public init(recipe: Recipe, slice: Slice?, secrets: [String: String]) throws(MissingSecret) {
        for variable in recipe.variables {
            switch variable.value {
            case .text(let text), .choice(_, let text): plain[variable.name] = text
            case .each: break
            case .secret(let name, let fallback):
                if let value = secrets[name] {
                    secret[variable.name] = value
                } else if let fallback {
                    plain[variable.name] = fallback
                } else {
                    throw MissingSecret(name: name)
                }
            }
        }
        for (name, value) in slice?.variables ?? [:] {
            secret[name] = nil
            plain[name] = value
        }
    }

    /// Variables without secrets.
    public init(_ plain: [String: String], secret: [String: String] = [:]) {
        self.plain = plain
        self.secret = secret
    }

    func text(_ name: String) throws(MissingVariable) -> String {
        guard let text = secret[name] ?? plain[name] else { throw MissingVariable(name: name) }
        return text
    }

    /// Those that a page's expressions may see: `$vars`.
    public var visible: [String: String] { plain }

    /// A URL as it is stored and shown: secrets that stand in it, encoded or not, are variables again.
    ///
    /// Longer secrets go first, for one may be a part of another. A secret of fewer than 4 bytes would
    /// be found where it isn't; it is looked for only as a parameter's whole value.
    public func unfilled(_ url: String) -> String {
        var text = url.replacing("{", with: "%7B").replacing("}", with: "%7D")
        for (name, value) in secret.sorted(by: {
            ($1.value.utf8.count, $0.key) < ($0.value.utf8.count, $1.key)
        }) {
            guard !value.isEmpty else { continue }
            let spellings = [
                value, PercentEncoding.encode(value),
                PercentEncoding.encode(value).replacing("%20", with: "+"),
            ]
            for spelling in Set(spellings).sorted(by: { $0.utf8.count > $1.utf8.count }) {
                text = Self.replace(
                    spelling,
                    with: "{\(name)}",
                    in: text,
                    onlyWholeValues: value.utf8.count < 4
                )
            }
        }
        return text
    }

    private static func replace(
        _ value: String,
        with name: String,
        in text: String,
        onlyWholeValues: Bool
    ) -> String {
        guard onlyWholeValues else { return text.replacing(value, with: name) }
        guard let mark = text.firstIndex(of: "?") else { return text }
        let parts = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        return text[...mark]
            + parts.map { $0.hasSuffix("=" + value) ? $0.dropLast(value.count) + name : String($0) }
            .joined(separator: "&")
    }

    /// A URL that was stored, with its secrets filled in again.
    public func refilled(_ url: String) throws(MissingVariable) -> String {
        guard let template = try? URLTemplate(url) else { return url }
        guard !template.names.isEmpty else { return url }
        // A variable at the beginning is a base URL here, too.
        return try template.filled(self)
    }
}

/// A secret that isn't there.
public struct MissingSecret: Error, Hashable, Sendable {
    /// Its name.
    public var name: String
}
