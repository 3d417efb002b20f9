/// The effective value of a setting, for people to read.
public struct EffectiveSetting: Hashable, Sendable {
    /// The setting's key.
    public var key: String
    /// The value as written in a YAML file; empty if not set.
    public var value: String
    /// The source of the value.
    public var source: SettingSource

    /// The value as it may be printed: of a URL that can hold a token, only the scheme, the host and the port.
    public var shown: String {
        guard SettingsTable.rows.contains(where: { $0.key == key && $0.mayHoldToken }),
            let scheme = value.firstRange(of: "://")
        else { return value }
        let authority = value[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let host = authority[
            (authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex)...
        ]
        let origin = value[..<scheme.upperBound] + host
        return origin == value ? value : origin + "/…"
    }
}

/// The source of a value.
public enum SettingSource: Hashable, Sendable, CustomStringConvertible {
    /// A flag on the command line.
    case flag(String)
    /// An environment variable.
    case environment(String)
    /// A line of the file.
    case file(String, line: Int)
    /// The default.
    case fallback

    /// The source as printed by `check-config`.
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
    /// The setting's key.
    public var key: String
    /// The value before, as it may be printed.
    public var before: String
    /// The value now, as it may be printed.
    public var now: String
    /// True if the change only takes effect after a restart.
    public var needsRestart: Bool
}

extension DaemonSettings {
    /// Returns the changes in newer settings, in the order of the table.
    public func changes(to newer: DaemonSettings) -> [SettingChange] {
        changesOfAll(to: newer) + hosts.changes(to: newer.hosts)
    }

    private func changesOfAll(to newer: DaemonSettings) -> [SettingChange] {
        zip(effective, newer.effective).compactMap { before, now in
            guard before.value != now.value else { return nil }
            let row = SettingsTable.rows.first { $0.key == now.key }
            return SettingChange(
                key: now.key,
                before: before.shown,
                now: now.shown,
                needsRestart: row?.needsRestart ?? true
            )
        }
    }
}

extension DaemonSettings.Hosts {
    /// Returns the changes in newer settings of single hosts, in the order of their keys.
    fileprivate func changes(to newer: DaemonSettings.Hosts) -> [SettingChange] {
        let (before, now) = (values, newer.values)
        return Set(before.keys).union(now.keys).sorted().compactMap { key in
            let (before, now) = (before[key] ?? "", now[key] ?? "")
            guard before != now else { return nil }
            return SettingChange(key: key, before: before, now: now, needsRestart: false)
        }
    }

    private var values: [String: String] {
        Dictionary(effective.map { ($0.key, $0.shown) }) { first, _ in first }
    }
}
