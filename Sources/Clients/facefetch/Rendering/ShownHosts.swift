import ControlAPI

/// Formats hosts as a table.
enum ShownHosts {
    /// Returns the table for `hosts`.
    static func table(_ hosts: [HostJSON]) -> Table {
        var table = Table(columns: [
            .init(title: "HOST", isFlexible: true), .init(title: "ACTIVE", isNumeric: true),
            .init(title: "QUEUED", isNumeric: true), .init(title: "STREAMS", isNumeric: true),
            .init(title: "PACE"),
            .init(title: "WAITING", isFlexible: true),
        ])
        table.rows = hosts.map { host in
            [
                host.host.safeForTerminal, Quantities.grouped(host.active), Quantities.grouped(host.queued),
                host.streams.map { Quantities.grouped($0) } ?? "", (host.pace ?? "").safeForTerminal,
                host.waiting.map(waiting) ?? "",
            ]
        }
        return table
    }

    /// Returns what helps with those hosts that wait for a person.
    static func advice(_ hosts: [HostJSON]) -> [String] {
        hosts.filter { $0.waiting?.kind == .known(.challenge) }
            .map { "\(Remedy.challenge(of: $0.host).safeForTerminal)." }
    }

    /// Returns the reason why a host waits, and until when, if somebody knows.
    private static func waiting(_ waiting: HostJSON.WaitingJSON) -> String {
        let until = waiting.until.map { " (until \(LocalTime.full($0)))" } ?? ""
        return (waiting.reason + until).safeForTerminal
    }
}
