/// Limits the number of connections per user, so that nobody takes those of all others.
///
/// One user may hold a quarter of them, and all users together three quarters. Root and the daemon's own
/// user may hold them all, so the last quarter is reserved for them.
struct ConnectionShares {
    /// The treatment of a new connection.
    enum Welcome: Hashable, Sendable {
        case served
        /// It gets a single answer, which says that the user has too many.
        case crowded
        /// It is closed, because its user has enough connections waiting for that answer.
        case refused
    }

    private let ownUser: UInt32
    private let perUser: Int
    private let together: Int
    private var held: [UInt32?: Int] = [:]
    private var heldTogether = 0

    /// Creates shares of a total number of connections; `ownUser` is the user that the daemon runs as.
    init(total: Int, ownUser: UInt32) {
        self.ownUser = ownUser
        perUser = max(2, total / 4)
        together = max(2, total - total / 4)
    }

    /// Counts a new connection, unless it is refused; users that the kernel can't name share one count.
    mutating func enter(_ user: UInt32?) -> Welcome {
        guard !isPrivileged(user) else { return .served }
        let count = held[user, default: 0]
        guard count < perUser, heldTogether < together else { return .refused }
        held[user] = count + 1
        heldTogether += 1
        return count + 1 > perUser - max(1, perUser / 8) ? .crowded : .served
    }

    /// Uncounts a connection.
    mutating func leave(_ user: UInt32?) {
        guard !isPrivileged(user), let count = held[user] else { return }
        held[user] = count > 1 ? count - 1 : nil
        heldTogether -= 1
    }

    private func isPrivileged(_ user: UInt32?) -> Bool { user == 0 || user == ownUser }
}
