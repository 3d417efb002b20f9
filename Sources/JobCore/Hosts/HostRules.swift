/// The limits of all hosts: those of the hosts that the settings name, and those of all others.
public struct HostRules: Hashable, Sendable {
    /// The limits of hosts that no name fits.
    public var standard: HostLimits
    /// The limits of the hosts with these very names.
    private var exact: [String: HostLimits] = [:]
    /// The limits of all hosts under a domain, which itself isn't among them.
    private var domains: [String: HostLimits] = [:]

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - standard: The limits of hosts that no name fits.
    ///   - named: Limits by `NAME`, or by `*.NAME` for all hosts under that domain; of the names that fit a host, the
    ///     longest counts. Upper and lower case are the same.
    public init(standard: HostLimits = HostLimits(), named: [String: HostLimits] = [:]) {
        self.standard = standard
        for (name, limits) in named {
            let name = name.lowercased()
            if name.hasPrefix("*.") {
                domains[String(name.dropFirst(2))] = limits
            } else {
                exact[name] = limits
            }
        }
    }

    /// Returns the limits of a host, given by its name or address in lower case, without a port or brackets.
    public func limits(of host: String) -> HostLimits {
        if exact.isEmpty, domains.isEmpty { return standard }
        if let limits = exact[host] { return limits }
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let limits = domains[String(rest)] { return limits }
        }
        return standard
    }
}
