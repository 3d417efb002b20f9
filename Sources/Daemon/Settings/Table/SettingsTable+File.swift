extension SettingsTable {
    /// The settings file as shipped: every setting with its meaning, commented out at its default.
    public static var commentedFile: String {
        var lines = [
            "# Settings of facefetchd. The environment overrides a value here, and flags override both.",
            "# `facefetchd check-config` checks this file and shows what is in force, and why.",
        ]
        var section = ""
        for row in rows {
            let parts = row.key.split(separator: ".", maxSplits: 1).map(String.init)
            if parts[0] != section {
                section = parts[0]
                lines += ["", "\(section):"]
            }
            lines.append("")
            lines += wrapped(
                row.meaning + unit(of: row) + (row.needsRestart ? " Takes effect after a restart." : "")
            )
            .map { "  # \($0)" }
            lines.append("  #\(parts[1]): \(quotedIfNeeded(row.fallback))")
        }
        return (lines + hosts).joined(separator: "\n") + "\n"
    }

    /// The section of single hosts, with one for an example.
    private static var hosts: [String] {
        var lines = ["", "hosts:", ""]
        lines += wrapped("Settings of single hosts, by name. The environment has no variables for them.").map
        {
            "  # \($0)"
        }
        lines.append("  #example.org:")
        for row in hostRows {
            lines += wrapped(row.meaning + unit(of: row)).map { "  #  # \($0)" }
            let name = row.key.split(separator: ".").last.map(String.init) ?? row.key
            lines.append("  #  \(name): \(quotedIfNeeded(row.fallback))")
        }
        return lines
    }

    private static func unit(of row: SettingRow) -> String {
        row.unit.isEmpty ? "" : " A bare number is in \(row.unit)."
    }

    private static func quotedIfNeeded(_ value: String) -> String {
        // A list is written as one text, to be split at its commas; * and # mean something else in YAML.
        value.contains { "*#:{}[]&!|>%@`\"'".contains($0) } ? "\"\(value)\"" : value
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count < 90 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension DaemonSettings {
    /// The effective values with their sources, a line for each setting.
    public var listing: String {
        let width = effective.map(\.key.count).max() ?? 0
        return effective.map { setting in
            let key = setting.key + ":" + String(repeating: " ", count: width - setting.key.count)
            return "\(key) \(setting.value.isEmpty ? "(not set)" : setting.value)   # \(setting.source)"
        }.joined(separator: "\n") + "\n"
    }
}
