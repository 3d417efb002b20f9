import CLinux
import Glibc
import NIOCore

/// Who is at the other end of a connection.
struct Peer: Hashable, Sendable {
    /// The user, as of the connect.
    let user: UInt32
    /// The user's effective group, as of the connect.
    let group: UInt32

    /// The user that this process runs as.
    static var ownUser: UInt32 { geteuid() }

    /// Asks the kernel (SO_PEERCRED); nil where it can't tell.
    init?(of channel: any Channel) async {
        guard let provider = channel as? any SocketOptionProvider,
            let peer: CLinux_peer = try? await provider.unsafeGetSocketOption(
                level: SocketOptionLevel(SOL_SOCKET),
                name: SocketOptionName(CInt(CLinux_SO_PEERCRED))
            ).get()
        else { return nil }
        self.user = peer.user
        self.group = peer.group
    }

    /// Whether the peer belongs to a group, by its effective or its supplementary ones (SO_PEERGROUPS).
    func isMember(of wanted: UInt32, on channel: any Channel) async -> Bool {
        if group == wanted { return true }
        guard let provider = channel as? any SocketOptionProvider else { return false }
        // The kernel doesn't tell through NIO how many it filled in: the rest
        // stays zero. Group 0 is therefore only believed as the effective one.
        guard wanted != 0 else { return false }
        if let few: InlineArray<64, UInt32> = try? await Self.groups(provider) {
            return few.indices.contains { few[$0] == wanted }
        }
        // ERANGE: more than fit. 4,096 is far beyond what any directory service hands out.
        guard let many: InlineArray<4096, UInt32> = try? await Self.groups(provider) else { return false }
        return many.indices.contains { many[$0] == wanted }
    }

    private static func groups<Groups: Sendable>(_ provider: any SocketOptionProvider) async throws -> Groups
    {
        try await provider.unsafeGetSocketOption(
            level: SocketOptionLevel(SOL_SOCKET),
            name: SocketOptionName(CInt(CLinux_SO_PEERGROUPS))
        ).get()
    }
}
