import Glibc

/// The use that requests may make of connections.
enum ConnectionUse: Hashable {
    /// Those of earlier requests, too.
    case any
    /// New ones only, which are kept.
    case new
    /// New ones only, which are closed after the answer.
    case once
}

/// Decides whether the connections of a host may be used again, by what it sends behind its answers.
///
/// A stray answer that comes after the next request has gone out can't be told from the answer to that. So before a first
/// connection is used again, some are watched for a moment after an answer, to see whether anything follows.
struct ConnectionTrust<Connection> {
    /// The milliseconds for which nothing may come behind an answer.
    static var moment: Int64 { 100 }
    /// The milliseconds after which a host that has sent more than was asked for is trusted no less than others.
    static var memory: Int64 { 3_600_000 }
    /// The most connections that are watched at once.
    private static var most: Int { 6 }

    private enum State {
        /// No answer has come yet.
        case new
        case watched([(connection: Connection, since: Int64)])
        case trusted
        case misled(at: Int64)
    }

    private var state = State.new

    /// True while connections are watched, or may be from the first answer on.
    var isOpen: Bool {
        switch state {
        case .new, .watched: true
        case .trusted, .misled: false
        }
    }

    /// True if the host has sent more than it was asked for.
    var isMisled: Bool { if case .misled = state { true } else { false } }

    /// Notes that an answer has ended on a connection; nil for one that can't be watched.
    mutating func answered(_ connection: Connection?, now: Int64) {
        var connections: [(Connection, Int64)] = []
        switch state {
        case .new: break
        case .watched(let watched): connections = watched
        case .trusted, .misled: return
        }
        if let connection, connections.count < Self.most { connections.append((connection, now)) }
        state = .watched(connections)
    }

    /// Notes that the host has sent more than it was asked for.
    mutating func misled(now: Int64) { state = .misled(at: now) }

    /// Returns the use that the next request may make of connections, given whether a connection has unread bytes.
    mutating func use(now: Int64, hasUnread: (Connection) -> Bool) -> ConnectionUse {
        switch state {
        case .new, .trusted: return .any
        case .misled(let time):
            guard now - time >= Self.memory else { return .once }
            state = .watched([])
            return .new
        case .watched(let connections):
            if connections.contains(where: { hasUnread($0.connection) }) {
                misled(now: now)
                return .once
            }
            guard let first = connections.first, now - first.since >= Self.moment else { return .new }
            state = .trusted
            return .any
        }
    }
}

/// A connection that is watched after an answer, also once libcurl has closed it to make room for another one.
///
/// Not Sendable: it lives and dies on the transfer thread.
final class WatchedConnection {
    /// The number of those that there are.
    final class Counter {
        fileprivate(set) var count = 0
    }

    /// The most that there are at once, each of which takes a descriptor.
    static let most = 48

    private let socket: Int32
    private let isSecure: Bool
    private let counter: Counter

    /// Watches the connection of a socket; nil if too many are watched, or there is no descriptor for it.
    init?(_ socket: Int32, isSecure: Bool, _ counter: Counter, under ceiling: DescriptorCeiling) {
        guard counter.count < Self.most else { return nil }
        let copy = ceiling.admit(fcntl(socket, F_DUPFD_CLOEXEC, 0))
        guard copy >= 0 else { return nil }
        (self.socket, self.isSecure, self.counter) = (copy, isSecure, counter)
        counter.count += 1
    }

    deinit {
        counter.count -= 1
        close(socket)
    }

    /// True if something has come over it that nobody has asked for.
    var hasUnread: Bool {
        ConnectionSockets.sight(of: socket).map { $0.hasStrays(isSecure: isSecure) } ?? false
    }
}
