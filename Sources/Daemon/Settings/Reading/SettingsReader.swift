import YAMLTree

/// Looks up keys in flags, environment and file, in this order, and collects errors.
struct SettingsReader {
    private(set) var problems: [SettingsError.Problem]
    private(set) var effective: [EffectiveSetting] = []
    private let flags: [String: String]
    private let environment: [String: String]
    private let file: [String: ConfigFile.Entry]
    /// The file's path.
    let filePath: String
    /// What the file says of hosts.
    let hostEntries: [YAMLNode.Entry]

    /// The flags by key.
    static let flagNames = [
        "paths.state": "--state-dir", "paths.documents": "--documents-dir", "paths.socket": "--socket",
        "paths.event-log": "--event-log",
    ]

    /// Creates a reader of these sources.
    init(flags: [String: String], environment: [String: String], filePath: String, file: ConfigFile?) {
        let entries = file?.entries ?? []
        self.filePath = filePath
        hostEntries = file?.hosts ?? []
        self.problems = file?.problems ?? []
        self.flags = flags
        self.environment = environment
        self.file = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        reportUnknown(entries: entries, environment: environment)
    }

    /// The prefix of environment variables.
    private static let prefix = "FACEFETCH_"

    /// Returns the value of a setting, or its default if the value is missing or invalid.
    ///
    /// - Throws: ``BadDefault``, which is a bug in the table.
    mutating func value<Value>(_ key: SettingKey<Value>) throws(BadDefault) -> Value {
        let (raw, source) = lookUp(key.name) ?? (.text(key.fallback), .fallback)
        effective.append(.init(key: key.name, value: raw.shown, source: source))
        if let value = key.parse(raw) { return value }
        // Whatever is wrong with a URL, a token may be in it.
        let found =
            key.mayHoldToken
            ? "; the value is not shown, since it may hold a token"
            : key.objection(raw).map { ": \($0)" } ?? ", not \"\(raw.shown)\""
        problems.append(
            .init(place: source.description, key: key.name, message: "expected \(key.expected)\(found)")
        )
        guard let fallback = key.parse(.text(key.fallback)) else { throw BadDefault(key: key.name) }
        return fallback
    }

    /// The error of a default that isn't a valid value.
    struct BadDefault: Error {
        /// The setting's key.
        let key: String
    }

    /// Returns the value of a path, or its default.
    mutating func path(_ key: SettingKey<String?>, fallback: String) -> String {
        if let value = try? value(key) { return value }
        if let last = effective.indices.last, effective[last].value.isEmpty {
            effective[last].value = fallback
        }
        return fallback
    }

    /// Adds an error.
    mutating func report(place: String, key: String?, _ message: String) {
        problems.append(.init(place: place, key: key, message: message))
    }

    private func lookUp(_ name: String) -> (RawValue, SettingSource)? {
        if let text = flags[name] { return (.text(text), .flag(Self.flagNames[name] ?? name)) }
        let variable = SettingsTable.rows.first { $0.key == name }?.variable
        if let variable, let text = environment[variable] { return (.text(text), .environment(variable)) }
        return file[name].map { ($0.value, .file(filePath, line: $0.line)) }
    }

    private mutating func reportUnknown(entries: [ConfigFile.Entry], environment: [String: String]) {
        let known = Set(SettingsTable.rows.map(\.key))
        for entry in entries where !known.contains(entry.key) {
            guard entry.key != "hosts", !entry.key.hasPrefix("hosts.") else {
                report(
                    place: "\(filePath):\(entry.line)",
                    key: entry.key,
                    "expected names of hosts under hosts, and settings such as pace under each"
                )
                continue
            }
            problems.append(
                .init(
                    place: "\(filePath):\(entry.line)",
                    key: entry.key,
                    message: "there is no such setting"
                        + Self.suggestion(SettingsTable.nearest(to: entry.key))
                )
            )
        }
        // Only variables of our sections, since others with the same prefix belong to other programs.
        let variables = Dictionary(uniqueKeysWithValues: SettingsTable.rows.map { ($0.variable, $0.key) })
        let sections = Set(known.compactMap { $0.split(separator: ".").first?.uppercased() })
        for name in environment.keys.sorted() where name.hasPrefix(Self.prefix) && variables[name] == nil {
            let rest = name.dropFirst(Self.prefix.count)
            guard let section = sections.first(where: { rest.hasPrefix($0 + "_") }) else { continue }
            let guess =
                section.lowercased() + "."
                + rest.dropFirst(section.count + 1).lowercased()
                .map { $0 == "_" ? "-" : String($0) }.joined()
            let nearest = SettingsTable.nearest(to: guess)
            let row = SettingsTable.rows.first { $0.key == nearest }
            problems.append(
                .init(
                    place: name,
                    key: nil,
                    message: "there is no such setting" + Self.suggestion(row?.variable)
                )
            )
        }
    }

    private static func suggestion(_ nearest: String?) -> String {
        nearest.map { "; did you mean \($0)?" } ?? "; facefetchd check-config lists all settings"
    }
}
