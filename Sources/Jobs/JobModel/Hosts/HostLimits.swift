import Vocabulary

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
