/// A setting as it is in force, for people to read.
public struct EffectiveSetting: Hashable, Sendable {
    /// Its key.
    public var key: String
    /// Its value, as the YAML file would say it; empty where nothing is set.
    public var value: String
    /// Where the value came from.
    public var source: SettingSource
}

/// The place that a value came from.
public enum SettingSource: Hashable, Sendable, CustomStringConvertible {
    /// A flag on the command line.
    case flag(String)
    /// A variable of the environment.
    case environment(String)
    /// A line of the file.
    case file(String, line: Int)
    /// Nobody said anything.
    case fallback

    /// As `check-config` prints it.
    public var description: String {
        switch self {
        case .flag(let name): "flag \(name)"
        case .environment(let name): "environment \(name)"
        case .file(let path, let line): "\(path):\(line)"
        case .fallback: "default"
        }
    }
}

/// A setting whose value differs between two readings of the settings.
public struct SettingChange: Hashable, Sendable {
    /// Its key.
    public var key: String
    /// The value before.
    public var before: String
    /// The value now.
    public var now: String
    /// True when only a restart brings it into force.
    public var needsRestart: Bool
}

extension DaemonSettings {
    /// What a newer reading changes, in the order of the table.
    public func changes(to newer: DaemonSettings) -> [SettingChange] {
        zip(effective, newer.effective).compactMap { before, now in
            guard before.value != now.value else { return nil }
            let row = SettingsTable.rows.first { $0.key == now.key }
            return SettingChange(
                key: now.key,
                before: before.value,
                now: now.value,
                needsRestart: row?.needsRestart ?? true
            )
        }
    }
}
