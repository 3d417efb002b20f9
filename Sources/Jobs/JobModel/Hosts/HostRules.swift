/// The limits of all hosts: those of the hosts that the settings name, and those of all others.
public struct HostRules: Hashable, Sendable {
    /// The limits of hosts that no name fits.
    public var standard: HostLimits
    private let named: HostNames<HostLimits>

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - standard: The limits of hosts that no name fits.
    ///   - named: Limits by `NAME`, or by `*.NAME` for all hosts under that domain (see ``HostNames``).
    public init(standard: HostLimits = HostLimits(), named: [String: HostLimits] = [:]) {
        self.standard = standard
        self.named = HostNames(named)
    }

    /// Returns the limits of a host, given by its name or address in lower case, without a port or brackets.
    public func limits(of host: String) -> HostLimits { named[host] ?? standard }
}
