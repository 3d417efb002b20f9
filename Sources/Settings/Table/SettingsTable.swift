/// A line of the table of settings: what the manual and the shipped file are made from.
public struct SettingRow: Hashable, Sendable {
    /// The key in the YAML file.
    public var key: String
    /// What it takes: `integer`, `size`, `duration`, `word`, `text`, `list`, `path` or `group`.
    public var type: String
    /// The unit of a bare number; empty where there is none.
    public var unit: String
    /// The default, as the file would say it; empty where nothing is set.
    public var fallback: String
    /// What it means.
    public var meaning: String
    /// What a value must be, to go after "expected" or "takes".
    public var expected: String
    /// True when only a restart brings a change into force.
    public var needsRestart: Bool

    /// The variable of the environment that stands for it.
    public var variable: String {
        "FACEFETCH_" + key.uppercased().map { $0 == "." || $0 == "-" ? "_" : String($0) }.joined()
    }
}

/// All settings there are.
public enum SettingsTable {
    /// A line for each setting, by section.
    public static let rows =
        Keys.transfer + Keys.disk + Keys.detection + Keys.control + Keys.webhook + Keys.log + Keys.sources
        + Keys.secrets + Keys.paths

    /// The key that looks most like a wrong one; nil where none does.
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

    /// How many letters must be added, left out or changed (Levenshtein).
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
