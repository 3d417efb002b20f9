import Vocabulary
import YAMLTree

extension DaemonSettings {
    /// The settings of a host, or of all hosts under a name.
    public struct Host: Hashable, Sendable {
        /// The host in lower case, an IPv6 address without brackets; `*.NAME` for all hosts under that name.
        public var name: String
        /// The most requests begun there in a length of time; nil for any number.
        ///
        /// It is `transfer.pace` where the host has none.
        public var pace: Pace?
        /// The number of concurrent transfers from there; nil for as many as from any host.
        public var perHost: Int?
        /// The rate limit for all transfers from there together in bytes per second; nil for no limit.
        public var rateLimit: Int64?
        /// The name of the secret with header fields for it; nil for none.
        public var headers: String?
        /// The name of the secret with cookies for it; nil for none.
        public var cookies: String?
    }

    /// The settings of single hosts.
    public struct Hosts: Hashable, Sendable {
        /// The hosts in the order of the file.
        public var all: [Host]
        /// What the file says of them, with the source of each value.
        public var effective: [EffectiveSetting]
    }
}

extension DaemonSettings.Hosts {
    /// Reads what the file says of hosts.
    ///
    /// - Parameter pace: The pace of hosts that have none of their own.
    init(_ reader: inout SettingsReader, pace: Pace?) {
        (all, effective) = ([], [])
        var lines: [String: Int] = [:]
        for entry in reader.hostEntries {
            let key = "hosts.\(entry.name)"
            guard let name = HostName.read(entry.name) else {
                reader.report(entry.line, key, "expected \(HostName.form)")
                continue
            }
            if let line = lines[name] {
                reader.report(entry.line, key, "this host is already given on line \(line)")
                continue
            }
            lines[name] = entry.line
            guard lines.count <= HostKeys.mostHosts else {
                reader.report(entry.line, key, "there are more than \(HostKeys.mostHosts) hosts")
                return
            }
            switch entry.value {
            case .map(let fields, _):
                var host = DaemonSettings.Host(name: name, pace: pace)
                for field in fields where !field.value.isNull {
                    guard let value = reader.read(field, of: key, into: &host) else { continue }
                    effective.append(
                        EffectiveSetting(
                            key: "hosts.\(name).\(field.name)",
                            value: value,
                            source: .file(reader.filePath, line: field.line)
                        )
                    )
                }
                all.append(host)
            case .scalar where entry.value.isNull: break
            default:
                reader.report(entry.line, key, "expected settings such as pace under the host's name")
            }
        }
    }
}

extension SettingsReader {
    fileprivate mutating func report(_ line: Int, _ key: String, _ message: String) {
        report(place: "\(filePath):\(line)", key: key, message)
    }

    /// Reads a setting of a host; returns the value as written, or nil if it is wrong.
    fileprivate mutating func read(
        _ field: YAMLNode.Entry,
        of section: String,
        into host: inout DaemonSettings.Host
    ) -> String? {
        let key = "\(section).\(field.name)"
        guard HostKeys.names.contains(field.name) else {
            let names = HostKeys.names.joined(separator: ", ")
            report(field.line, key, "there is no such setting of a host; there are \(names)")
            return nil
        }
        guard let text = field.value.text else {
            report(field.line, key, "expected a plain value")
            return nil
        }
        let expected: String?
        switch field.name {
        case "pace": expected = HostKeys.pace.read(text) { host.pace = $0 }
        case "per-host": expected = HostKeys.perHost.read(text) { host.perHost = $0 }
        case "rate-limit": expected = HostKeys.rateLimit.read(text) { host.rateLimit = $0 == 0 ? nil : $0 }
        case "headers": expected = HostKeys.headers.read(text) { host.headers = $0 }
        default: expected = HostKeys.cookies.read(text) { host.cookies = $0 }
        }
        guard let expected else { return text }
        report(field.line, key, "expected \(expected), not \"\(text)\"")
        return nil
    }
}

extension SettingKey {
    /// Gives away the value of a text; returns what was expected if there is none.
    fileprivate func read(_ text: String, _ give: (Value) -> Void) -> String? {
        guard let value = parse(.text(text)) else { return expected }
        give(value)
        return nil
    }
}
