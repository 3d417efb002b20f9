/// How many connections a user may hold, so that nobody takes those of all others.
///
/// One user may hold a quarter of them, and all users together three. Root and the daemon's own user
/// may hold them all: the rest is theirs.
struct ConnectionShares {
    /// How a new connection is met.
    enum Welcome: Hashable, Sendable {
        case served
        /// It gets one answer, which says why there are no more.
        case crowded
        /// Its user has had enough answers of that kind; it is closed.
        case refused
    }

    private let ownUser: UInt32
    private let perUser: Int
    private let together: Int
    private var held: [UInt32?: Int] = [:]
    private var heldTogether = 0

    /// Shares of so many connections; the user is the one that the daemon runs as.
    init(total: Int, ownUser: UInt32) {
        self.ownUser = ownUser
        perUser = max(2, total / 4)
        together = max(2, total - total / 4)
    }

    /// Counts a new connection, unless it is refused; nil stands for all whom the kernel can't name.
    mutating func enter(_ user: UInt32?) -> Welcome {
        guard !isPrivileged(user) else { return .served }
        let count = held[user, default: 0]
        guard count < perUser, heldTogether < together else { return .refused }
        held[user] = count + 1
        heldTogether += 1
        return count + 1 > perUser - max(1, perUser / 8) ? .crowded : .served
    }

    /// Gives back a connection that was counted.
    mutating func leave(_ user: UInt32?) {
        guard !isPrivileged(user), let count = held[user] else { return }
        held[user] = count > 1 ? count - 1 : nil
        heldTogether -= 1
    }

    private func isPrivileged(_ user: UInt32?) -> Bool { user == 0 || user == ownUser }
}
