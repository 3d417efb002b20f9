/// The place that a node has reached in handing its daemon's items over to the fleet.
struct Feeding: Hashable, Sendable {
    /// The daemon's store, whose items these are.
    var store: String
    /// The number of the last item that the fleet has.
    var through: Int64
    /// The number up to which items are compared with what the fleet knows: an earlier run may not have told the daemon
    /// what the fleet was done with.
    var compared: Int64 = 0
    /// The time when the daemon is asked again for new items.
    var asksAt = Duration.zero
    /// The time when the fleet is asked again for what it is done with.
    var looksAt = Duration.zero

    /// The time between questions that were answered with nothing.
    static let interval = Duration.seconds(1)

    /// The items that the daemon may be told of, in one request, and that are handed over in one transaction.
    static let most = 1000

    init(store: String, through: Int64) { (self.store, self.through) = (store, through) }

    /// True if there may be items to compare.
    var compares: Bool { compared < through }

    /// Notes how long it took to look for what the fleet is done with: that reads a row for each item that it has, so
    /// it isn't done all the time.
    mutating func looked(from begin: Duration, to end: Duration, foundMost: Bool) {
        looksAt = foundMost ? end : end + max(Self.interval, (end - begin) * 20)
    }
}
