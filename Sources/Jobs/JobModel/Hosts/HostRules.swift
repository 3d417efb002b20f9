import Vocabulary

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

/// The limits that hold for each host, or for one that the settings name.
///
/// They are complete: for a host with limits of its own, whatever the settings don't say of it has been filled in
/// from those that hold for all.
public struct HostLimits: Hashable, Sendable {
    /// The most requests begun there in a length of time; nil for any number.
    public var pace: Pace?
    /// The most transfers at once from there; nil for as many as ``TransferQueue/Limits/perHost`` says.
    public var perHost: Int?
    /// The most bytes per second that all transfers from there may bring together; nil for any number.
    public var rateLimit: Int64?

    public init(pace: Pace? = nil, perHost: Int? = nil, rateLimit: Int64? = nil) {
        self.pace = pace
        self.perHost = perHost.map { max(1, $0) }
        self.rateLimit = rateLimit.map { max(1, $0) }
    }
}
