/// Tells whether a host's further connections were needed beside those that there were, or came in their place.
///
/// Servers send connections away after so many requests (GOAWAY; nginx after 1000), and that says nothing about how many
/// requests they bear at once. So a new connection counts as needed only once a later request is answered over an older
/// one. Connections are known by their local ports.
struct ConnectionWatch: Hashable, Sendable {
    /// A look at what becomes of older connections, since a new one answered.
    private struct Doubt: Hashable, Sendable {
        var older: Set<Int>
        /// The time from which on requests were sent when the new connection was there.
        var since: Int64
        /// The number of such requests that were answered over newer connections.
        var answers = 0
    }

    /// The answers over newer connections after which the older ones are taken to be gone.
    static let enough = 16
    /// The most connections that are remembered.
    private static let most = 64

    private var known: Set<Int> = []
    private var doubt: Doubt?

    /// Notes an answer over a connection to a request that was sent at a time, as the clock says `now`; returns whether
    /// it shows that the connections that there were didn't suffice.
    mutating func noteAnswer(over port: Int, requestedAt: Int64, now: Int64) -> Bool {
        if !known.contains(port) {
            if known.count >= Self.most { (known, doubt) = ([], nil) }
            if doubt == nil, !known.isEmpty { doubt = Doubt(older: known, since: now) }
            known.insert(port)
            return false
        }
        guard let begun = doubt, requestedAt > begun.since else { return false }
        if begun.older.contains(port) {
            doubt = nil
            return true
        }
        doubt?.answers += 1
        if begun.answers + 1 >= Self.enough {
            known.subtract(begun.older)
            doubt = nil
        }
        return false
    }
}
