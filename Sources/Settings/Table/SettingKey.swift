/// One setting: its name, what it takes, and how its text is read.
struct SettingKey<Value: Sendable>: Sendable {
    /// Its key, words joined by dots and dashes.
    let name: String
    /// What it takes: `integer`, `size`, `duration`, `word`, `text`, `list`, `path` or `group`.
    let type: String
    /// The unit of a bare number.
    var unit = ""
    /// The default, as the file would say it.
    let fallback: String
    /// What it means, for the manual.
    let meaning: String
    /// What a value must be, to go after "expected".
    let expected: String
    /// True when a reload can't bring a change into force.
    var needsRestart = false
    /// Reads a value.
    let parse: @Sendable (RawValue) -> Value?

    /// What the table shows.
    var row: SettingRow {
        SettingRow(
            key: name,
            type: type,
            unit: unit,
            fallback: fallback,
            meaning: meaning,
            expected: expected,
            needsRestart: needsRestart
        )
    }
}

/// A value before it is read.
enum RawValue: Hashable, Sendable {
    case text(String)
    case list([String])

    /// The text of a value that isn't a list.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The items of a list; a text is cut at its commas.
    var items: [String] {
        switch self {
        case .list(let items): items
        case .text(let text):
            text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        }
    }

    /// As the file would say it.
    var shown: String {
        switch self {
        case .text(let text): text
        case .list(let items): items.joined(separator: ", ")
        }
    }
}

extension StringProtocol {
    /// Without white space at both ends.
    var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
