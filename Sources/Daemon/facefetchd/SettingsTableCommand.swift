import ArgumentParser
import FoundationEssentials
import Settings

/// The command `facefetchd settings-table`, which prints the table of settings as a line of JSON each.
///
/// The manual is generated from it, so it always agrees with the daemon.
struct SettingsTableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings-table",
        abstract: "Print the table of settings as JSON Lines.",
        shouldDisplay: false
    )

    func run() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for row in SettingsTable.rows + SettingsTable.hostRows {
            StandardStream.output.write(
                String(decoding: try encoder.encode(Line(row)), as: UTF8.self) + "\n"
            )
        }
    }

    /// A setting.
    private struct Line: Encodable {
        let key: String
        let variable: String
        let type: String
        let unit: String
        let fallback: String
        let meaning: String
        let expected: String
        let needsRestart: Bool

        enum CodingKeys: String, CodingKey {
            case key, variable, type, unit, fallback, meaning, expected
            case needsRestart = "needs_restart"
        }

        init(_ row: SettingRow) {
            key = row.key
            variable = SettingsTable.hostRows.contains(row) ? "" : row.variable
            type = row.type
            unit = row.unit
            fallback = row.fallback
            meaning = row.meaning
            expected = row.expected
            needsRestart = row.needsRestart
        }
    }
}
