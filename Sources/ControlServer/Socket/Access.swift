/// Who may do what on the control socket.
///
/// The socket's file keeps others out as well, but only where it was bound here: an inherited one
/// has the group and mode that its maker gave it.
struct Access: Hashable, Sendable {
    /// Whose members may use the socket; nil lets everyone who can connect.
    var group: UInt32?
    /// Whose members may change things; nil lets everyone who may use the socket.
    var writeGroup: UInt32?
    /// The user that the daemon runs as.
    var ownUser: UInt32

    /// What somebody may do; each includes those before it.
    enum Right: Comparable, Sendable {
        case nothing, look, change
    }

    /// What somebody may do; nil for a peer that the kernel can't name.
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
