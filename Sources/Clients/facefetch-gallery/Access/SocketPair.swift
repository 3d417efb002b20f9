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
