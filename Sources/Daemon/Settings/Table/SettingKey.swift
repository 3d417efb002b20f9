import Vocabulary

/// The definition of a setting: its name, its type, and how its text is read.
struct SettingKey<Value: Sendable>: Sendable {
    /// The key: words joined by dots and dashes.
    let name: String
    /// The type: `integer`, `size`, `duration`, `word`, `text`, `list`, `path` or `group`.
    let type: String
    /// The unit of a number without one.
    var unit = ""
    /// The default as written in a file.
    let fallback: String
    /// The meaning, for the manual.
    let meaning: String
    /// A description of valid values that fits after "expected".
    let expected: String
    /// True if a change only takes effect after a restart.
    var needsRestart = false
    /// True if the value is a URL whose user, path or query can be a token.
    var mayHoldToken = false
    /// Says what exactly is wrong with an invalid value, where that takes more than ``expected``.
    var objection: @Sendable (RawValue) -> String? = { _ in nil }
    /// Parses a value; returns nil if it is invalid.
    let parse: @Sendable (RawValue) -> Value?

    /// The setting's row in the table.
    var row: SettingRow {
        SettingRow(
            key: name,
            type: type,
            unit: unit,
            fallback: fallback,
            meaning: meaning,
            expected: expected,
            needsRestart: needsRestart,
            mayHoldToken: mayHoldToken
        )
    }
}

/// A value before it is parsed.
enum RawValue: Hashable, Sendable {
    case text(String)
    case list([String])

    /// The text, if the value isn't a list.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The items of a list; a text is split at its commas.
    var items: [String] {
        switch self {
        case .list(let items): items
        case .text(let text):
            text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        }
    }

    /// The items of a list, a line each; a text is as it is.
    var lines: String {
        switch self {
        case .list(let items): items.joined(separator: "\n")
        case .text(let text): text
        }
    }

    /// The value as written in a file.
    var shown: String {
        switch self {
        case .text(let text): text
        case .list(let items): items.joined(separator: ", ")
        }
    }
}
