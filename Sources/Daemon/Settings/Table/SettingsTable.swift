/// A row of the table of settings, from which the manual and the shipped file are generated.
public struct SettingRow: Hashable, Sendable {
    /// The key in the YAML file.
    public var key: String
    /// The type: `integer`, `size`, `duration`, `word`, `text`, `list`, `path` or `group`.
    public var type: String
    /// The unit of a number without one; empty if there is none.
    public var unit: String
    /// The default as written in a file; empty if nothing is set.
    public var fallback: String
    /// The meaning of the setting.
    public var meaning: String
    /// A description of valid values that fits after "expected" or "takes".
    public var expected: String
    /// True if a change only takes effect after a restart.
    public var needsRestart: Bool
    /// True if the value is a URL whose user, path or query can be a token, which is never printed.
    public var mayHoldToken: Bool

    /// The environment variable for the setting.
    public var variable: String {
        "FACEFETCH_" + key.uppercased().map { $0 == "." || $0 == "-" ? "_" : String($0) }.joined()
    }
}

/// The table of all settings.
public enum SettingsTable {
    /// A row for each setting, by section.
    public static let rows =
        Keys.transfer + Keys.disk + Keys.documentFiles + Keys.detection + Keys.gallery + Keys.control
        + Keys.webhook + Keys.reporting + Keys.log + Keys.jobs + Keys.sources + Keys.watch + Keys.secrets
        + Keys.paths

    /// A row for each setting of a single host, whose key has `NAME` for the host's name.
    ///
    /// They have no variables of the environment.
    public static var hostRows: [SettingRow] { HostKeys.rows }

    /// Returns the key most similar to an unknown one; nil if none is similar.
    static func nearest(to wrong: String) -> String? {
        let word = wrong.lowercased()
        let (length, reach) = (word.count, max(2, wrong.count / 3))
        // A key that is longer or shorter by more than that is farther away.
        let candidates = rows.filter { abs($0.key.count - length) <= reach }
            .map { ($0.key, editDistance(word, $0.key)) }
        guard let best = candidates.min(by: { $0.1 < $1.1 }), best.1 <= reach else {
            // A key that was put into the wrong section, or into none.
            let last = wrong.split(separator: ".").last.map(String.init) ?? wrong
            return rows.map(\.key).first { $0.split(separator: ".").last == last[...] }
        }
        return best.0
    }

    /// Returns the number of letters to insert, delete or replace (Levenshtein distance).
    static func editDistance(_ first: String, _ second: String) -> Int {
        let first = Array(first)
        let second = Array(second)
        var row = Array(0...second.count)
        for (i, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in second.enumerated() {
                let changed = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(changed, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[second.count]
    }
}
