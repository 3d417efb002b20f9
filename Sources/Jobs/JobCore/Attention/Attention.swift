import JobModel
import Vocabulary

/// Knows which jobs people look at.
///
/// Each client says it for itself, under a lease that it has to renew. Leases are not stored: after a
/// restart of the daemon, clients say it again.
public struct Attention: Sendable {
    /// A client that looks at jobs, such as one tab of a browser.
    public struct Client: Hashable, Sendable {
        /// The user of the client; nil if unknown.
        public var user: UInt32?
        /// The name that the client has given itself.
        public var name: String

        /// Creates a client; one user's clients can't be taken for another's.
        public init(user: UInt32?, name: String) {
            self.user = user
            self.name = name
        }
    }

    private struct Lease {
        var until: Moment
        var interests: [JobID: Interest]
    }

    /// Length of a lease, in seconds.
    public static let leaseLength = 15.0
    /// The most jobs that a client can look at.
    public static let mostJobs = 500
    /// The most clients, of one user and overall.
    ///
    /// Another one takes the place of the one that has been silent for longest.
    static let mostClients = (ofUser: 16, all: 64)

    private var leases: [Client: Lease] = [:]
    /// The jobs that someone looks at, as closely as anyone does.
    public private(set) var interests: [JobID: Interest] = [:]

    /// Creates attention that nobody pays.
    public init() {}

    /// The moment at which the next lease lapses; nil if there is none.
    public var lapsesAt: Moment? { leases.values.lazy.map(\.until).min() }

    /// Replaces what a client looks at; returns the jobs whose interest has changed.
    ///
    /// A client that looks at nothing gives its lease up. Of more than ``mostJobs``, the last don't count.
    public mutating func look(
        _ client: Client,
        visible: [JobID],
        near: [JobID],
        now: Moment
    ) -> Set<JobID> {
        var interests: [JobID: Interest] = [:]
        for job in visible where interests.count < Self.mostJobs { interests[job] = .visible }
        for job in near where interests.count < Self.mostJobs && interests[job] == nil {
            interests[job] = .near
        }
        leases[client] = nil
        if !interests.isEmpty {
            makeRoom(for: client)
            leases[client] = Lease(until: now.adding(seconds: Self.leaseLength), interests: interests)
        }
        return takeStock()
    }

    /// Ends the leases whose time is over, and returns the jobs whose interest has changed.
    public mutating func lapse(now: Moment) -> Set<JobID> {
        let lapsed = leases.filter { $0.value.until <= now }.map(\.key)
        guard !lapsed.isEmpty else { return [] }
        for client in lapsed { leases[client] = nil }
        return takeStock()
    }

    /// Ends the oldest lease if there are too many for another.
    private mutating func makeRoom(for client: Client) {
        let ofUser = leases.filter { $0.key.user == client.user }
        let rivals = ofUser.count >= Self.mostClients.ofUser ? ofUser : leases
        guard ofUser.count >= Self.mostClients.ofUser || leases.count >= Self.mostClients.all else { return }
        guard let oldest = rivals.min(by: { $0.value.until < $1.value.until })?.key else { return }
        leases[oldest] = nil
    }

    private mutating func takeStock() -> Set<JobID> {
        let before = interests
        interests = [:]
        for lease in leases.values { interests.merge(lease.interests, uniquingKeysWith: min) }
        let changed = interests.filter { before[$0.key] != $0.value }.keys
        return Set(changed).union(before.keys.filter { interests[$0] == nil })
    }
}
