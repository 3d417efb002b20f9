import NIOCore

/// Knows whose process is at the other end of a connection over the loopback interface.
enum LoopbackPeer: Sendable {
    /// By asking the kernel about the one socket.
    case diagnosis(SocketDiagnosis)
    /// By reading the kernel's tables of all sockets, where what confines this process forbids to ask.
    case table(SocketTableReader)

    /// Finds out how it can be known; nil if it can't.
    init?() {
        if let diagnosis = SocketDiagnosis() {
            self = .diagnosis(diagnosis)
        } else if SocketTable.isThere {
            self = .table(SocketTableReader())
        } else {
            return nil
        }
    }

    /// The user of the process that has connected; nil if the kernel doesn't say.
    func user(
        from peer: SocketAddress?,
        to own: SocketAddress?,
        on loop: any EventLoop
    ) -> EventLoopFuture<UInt32?> {
        guard let peer = peer.flatMap(SocketEnd.init), let own = own.flatMap(SocketEnd.init),
            let pair = SocketPair(peer: peer, own: own)
        else { return loop.makeSucceededFuture(nil) }
        switch self {
        case .diagnosis(let diagnosis): return loop.makeSucceededFuture(diagnosis.user(of: pair))
        case .table(let reader): return reader.user(of: pair, on: loop)
        }
    }
}

/// The two ends of a connection of this machine with itself, as the side that has made it sees them.
struct SocketPair: Hashable, Sendable {
    /// The end of who has connected.
    let peer: SocketEnd
    /// The end of who was connected to.
    let own: SocketEnd

    /// Two ends; nil if one of them isn't on the loopback interface, and so nobody here has it.
    init?(peer: SocketEnd, own: SocketEnd) {
        guard peer.isLoopback, own.isLoopback else { return nil }
        self.peer = peer
        self.own = own
    }
}
