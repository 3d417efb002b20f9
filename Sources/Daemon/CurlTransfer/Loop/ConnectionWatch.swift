import CLinux
import Glibc

/// The two ends by which a connection is known, as far as they tell ours from each other.
struct ConnectionEnds: Hashable {
    /// The address and the port of the other end.
    var peer: IPAddress
    var peerPort: UInt16
    /// The port of this end.
    var ownPort: UInt16
}

/// Decides which connections libcurl has stopped reading while requests wait for what has come over them.
///
/// libcurl 7.88 was seen to do that where nginx sends a connection away (GOAWAY) and closes it with a hundred requests
/// under way: it stays in CLOSE_WAIT with bytes that nobody reads, and the requests until they time out. curl's issue
/// 11426 tells the same of 8.1.
struct ConnectionWatch {
    /// What a look at a connection shows, after libcurl has worked.
    struct Sight: Equatable {
        /// The bytes that have been read from it.
        var read: UInt64
        /// The bytes of bodies that its requests have got.
        var delivered: Int64
        /// True if bytes have come that nobody has read, or the other end has closed it.
        var hasNews: Bool
        /// True if a request on it has been told to pause, which libcurl may obey by leaving it unread.
        var isPaused: Bool
    }

    /// The number of looks, one after the other with libcurl's work in between, at which nothing may have changed.
    ///
    /// Where libcurl reads at all, it reads what has come each time it works, so that even one would be much.
    static let mostLooks = 4

    private var suspects: [ConnectionEnds: (sight: Sight, looks: Int)] = [:]

    /// Takes a look at the connections that have requests under way, and returns those to be given up.
    mutating func look(at sights: [ConnectionEnds: Sight]) -> [ConnectionEnds] {
        var left: [ConnectionEnds] = []
        var seen: [ConnectionEnds: (sight: Sight, looks: Int)] = [:]
        for (ends, sight) in sights where sight.hasNews && !sight.isPaused {
            let before = suspects[ends]
            let looks = before?.sight == sight ? (before?.looks ?? 0) + 1 : 0
            if looks >= Self.mostLooks { left.append(ends) } else { seen[ends] = (sight, looks) }
        }
        suspects = seen
        return left
    }
}

/// The sockets of connections, by their ends.
struct ConnectionSockets {
    private var sockets: [ConnectionEnds: Int32] = [:]

    /// The most that are remembered: many more than there are connections.
    private static let limit = 512

    /// Notes a connection, which is one of the sockets that were opened for it.
    mutating func note(_ ends: ConnectionEnds, among opened: [Int32]) {
        guard let socket = opened.last(where: { Self.look(at: $0)?.ends == ends }) else { return }
        if sockets.count >= Self.limit {
            sockets = sockets.filter { ends, socket in Self.look(at: socket)?.ends == ends }
        }
        guard sockets.count < Self.limit else { return }
        sockets[ends] = socket
    }

    /// Returns the socket of a connection, and a look at it; nil where it is gone, or was never known.
    ///
    /// Its number may be another file's since, so its ends are looked at each time.
    mutating func look(at ends: ConnectionEnds) -> (socket: Int32, sight: CLinux_connection)? {
        guard let socket = sockets[ends] else { return nil }
        guard let look = Self.look(at: socket), look.ends == ends else {
            sockets[ends] = nil
            return nil
        }
        return (socket, look.sight)
    }

    /// Returns what a connected socket looks like; nil for any other descriptor.
    static func sight(of socket: Int32) -> CLinux_connection? { look(at: socket)?.sight }

    private static func look(at socket: Int32) -> (ends: ConnectionEnds, sight: CLinux_connection)? {
        var sight = CLinux_connection()
        guard CLinux_look_at_connection(socket, &sight) == 0 else { return nil }
        let peer = withUnsafeBytes(of: &sight.peer) { IPAddress(v6: $0) }
        return (
            ConnectionEnds(peer: peer, peerPort: sight.peer_port, ownPort: sight.own_port), sight
        )
    }
}

extension CLinux_connection {
    /// The bytes of a farewell by TLS (close_notify), with room to spare: a record of RFC 8446, section 5, with two bytes.
    private static let longestFarewell: UInt64 = 64

    /// Returns whether more has come than was asked for, and not just a farewell.
    func hasStrays(isSecure: Bool) -> Bool {
        unread > (isSecure && is_closed != 0 ? Self.longestFarewell : 0)
    }
}
