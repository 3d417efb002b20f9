import JobCore
import Settings

/// The settings of single hosts, in the terms of the parts.
extension DaemonSettings {
    /// The limits of hosts.
    var hostRules: HostRules {
        HostRules(
            standard: HostLimits(pace: transfer.pace),
            named: Dictionary(
                hosts.all.map { host in
                    (host.name, HostLimits(pace: host.pace, perHost: host.perHost, rateLimit: host.rateLimit))
                }
            ) { first, _ in first }
        )
    }
}
