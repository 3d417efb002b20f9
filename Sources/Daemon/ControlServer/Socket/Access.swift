/// The rules for who may do what on the control socket.
///
/// The permissions of the socket's file keep others out as well, but only if it was bound here: an
/// inherited socket has the group and mode that its creator chose.
struct Access: Hashable, Sendable {
    /// The group whose members may use the socket; nil allows everyone who can connect.
    var group: UInt32?
    /// The group whose members may change things; nil allows everyone who may use the socket.
    var writeGroup: UInt32?
    /// The user that the daemon runs as.
    var ownUser: UInt32

    /// The rights of a user; each includes those before it.
    enum Right: Comparable, Sendable {
        case nothing, look, change
    }

    /// Returns the rights of a peer, which is nil if the kernel can't name it.
    func right(of peer: Peer?) -> Right {
        if let peer, peer.user == 0 || peer.user == ownUser { return .change }
        guard isMember(peer, of: group) else { return .nothing }
        return isMember(peer, of: writeGroup) ? .change : .look
    }

    private func isMember(_ peer: Peer?, of group: UInt32?) -> Bool {
        guard let group else { return true }
        return peer?.groups.contains(group) ?? false
    }
}
