import Vocabulary

/// The values of a recipe's variables for a request.
public struct Variables: Hashable, Sendable {
    private var plain: [String: String] = [:]
    /// The secret values, by the variable's name.
    private var secret: [String: String] = [:]
    /// The values of a slice's variables in which a list of slices repeats secrets, with those filled in.
    private var refilled: [String: String] = [:]
    /// The names of those whose values a list of slices has given: a stranger, who may not say where secrets
    /// go.
    private var listed: Set<String> = []

    public init() {}

    /// Collects the variables of a recipe and a slice, whose own take precedence.
    ///
    /// - Parameter secrets: the available secrets by name.
    /// - Throws: ``MissingSecret`` for the first that is not available and has no default.
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
        for name in recipe.headers.compactMap(\.secret)
        where !secret.values.contains(where: { $0 == secrets[name] }) {
            // Servers repeat what they were sent, wherever it was.
            let variable = Self.variable(ofSecret: name)
            if let value = secrets[name], !recipe.variables.contains(where: { $0.name == variable }) {
                secret[variable] = value
            }
        }
        for (name, value) in slice?.variables ?? [:] {
            secret[name] = nil
            plain[name] = value
            guard !recipe.gives(value, to: name) else { continue }
            listed.insert(name)
            // It is stored without its secrets, and only sent where those go.
            let whole = Self.filling(value, with: secrets)
            if whole != value { refilled[name] = whole }
        }
    }

    /// Returns a text that was masked with its secrets; those of which a file has several stay masked.
    private static func filling(_ text: String, with secrets: [String: String]) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        // In one pass: a secret may look like the name of another.
        var (result, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            let name = rest.dropFirst().prefix { $0 != "}" }
            if let secret = secrets[String(name)], !secret.contains(where: \.isNewline),
                rest.dropFirst(name.count + 1).first == "}"
            {
                result += secret
                rest = rest.dropFirst(name.count + 2)
            } else {
                result.append("{")
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    /// The name under which a secret that no variable has is kept out of URLs.
    private static func variable(ofSecret name: String) -> String {
        "secret__" + name.map { $0 == "-" || $0 == "." ? "_" : String($0) }.joined()
    }

    public init(_ plain: [String: String], secret: [String: String] = [:]) {
        self.plain = plain
        self.secret = secret
    }

    func text(_ name: String) throws(MissingVariable) -> String {
        guard let text = secret[name] ?? refilled[name] ?? plain[name] else {
            throw MissingVariable(name: name)
        }
        return text
    }

    /// Returns whether a variable has a value.
    public func hasValue(_ name: String) -> Bool { secret[name] != nil || plain[name] != nil }

    /// Returns whether the recipe itself gives a variable its value.
    func isOwn(_ name: String) -> Bool {
        !listed.contains(name) && hasValue(name)
    }

    /// Returns the same with one value for several variables.
    func setting(_ names: [String], to text: String) -> Variables {
        var variables = Variables(
            plain.merging(names.map { ($0, text) }) { $1 },
            secret: secret.filter { !names.contains($0.key) }
        )
        variables.refilled = refilled.filter { !names.contains($0.key) }
        return variables
    }

    /// The variables of a URL as it is written whose values are secrets.
    public func secrets(in url: String) -> [String] {
        ((try? URLTemplate(url))?.names ?? []).filter { secret[$0] != nil || refilled[$0] != nil }
    }

    /// True if any of the variables is a secret.
    public var hasSecrets: Bool { !secret.isEmpty }

    /// The variables that a page's expressions may see as `$vars`.
    public var visible: [String: String] { plain }

    /// Returns a URL for storing and showing, in which secrets, however they are encoded, are replaced by their
    /// variables again.
    ///
    /// Longer secrets are replaced first, since one may be part of another. A secret of fewer than 4
    /// bytes would be found in unrelated places, so it is only replaced as the whole value of a
    /// parameter.
    public func unfilled(_ url: String) -> String {
        let text = url.replacing("{", with: "%7B").replacing("}", with: "%7D")
        let secrets = secret.map { (secret: $0.value, name: "{\($0.key)}") }
        let isLong = { (secret: String) in secret.utf8.count >= SecretMask.shortest }
        let long = SecretSearch(secrets.filter { isLong($0.secret) }).replacing(in: text)
        let short = secrets.filter { !isLong($0.secret) && !$0.secret.isEmpty }
        return short.isEmpty ? long : Self.replaceValues(short.sorted { $0.name < $1.name }, in: long)
    }

    /// Returns a reference in which a secret that is written with number signs, as HTML can write any character,
    /// is percent-encoded: such a sign would be the end of what is kept of the reference.
    public func withoutNumberSigns(_ reference: String) -> String {
        guard !secret.isEmpty, reference.utf8.contains(UInt8(ascii: "#")) else { return reference }
        let long = secret.values.filter { $0.utf8.count >= SecretMask.shortest }
        let search = SecretSearch(long.map { ($0, PercentEncoding.encode($0)) })
        return search.replacing(in: reference, having: UInt8(ascii: "#"))
    }

    /// Replaces secrets that are the whole value of a parameter.
    private static func replaceValues(_ secrets: [(secret: String, name: String)], in text: String) -> String
    {
        guard let mark = text.firstIndex(of: "?") else { return text }
        let parts = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let searches = secrets.map { (search: SecretSearch([$0]), name: $0.name) }
        let replaced = parts.map { part in
            for equals in part.indices where part[equals] == "=" {
                let value = part[part.index(after: equals)...]
                if let found = searches.first(where: { $0.search.isWhole(value) }) {
                    return String(part[...equals]) + found.name
                }
            }
            return String(part)
        }
        return text[...mark] + replaced.joined(separator: "&")
    }

    /// Returns a stored URL with its secrets filled in again.
    public func refilled(_ url: String) throws(MissingVariable) -> String {
        guard let template = try? URLTemplate(url) else { return url }
        guard !template.names.isEmpty else { return url }
        // Here as well, a variable at the beginning is a base URL.
        return try template.filled(self)
    }

    /// Returns the URL of an item with the secrets that it was stored without.
    ///
    /// There, the braces of a variable are percent-encoded. Somebody else may have written the same, so
    /// that it may only be sent to the source's own origin, which knows the secrets.
    public func refilledItem(_ url: String) -> String {
        secret.reduce(url) { $0.replacing("%7B\($1.key)%7D", with: PercentEncoding.encode($1.value)) }
    }
}

/// The error of a secret that isn't available.
public struct MissingSecret: Error, Hashable, Sendable {
    /// The secret's name.
    public var name: String
}
