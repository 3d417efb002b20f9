import CLinux
import Glibc
import NIOCore

/// The process at the other end of a connection, as of the time it connected.
struct Peer: Hashable, Sendable {
    /// The user id.
    let user: UInt32
    /// The effective group and the supplementary groups.
    let groups: Set<UInt32>

    /// The user that this process runs as.
    static var ownUser: UInt32 { geteuid() }

    /// Asks the kernel about a connection's peer (SO_PEERCRED and SO_PEERGROUPS, unix(7)); nil if it
    /// can't tell.
    ///
    /// On the connection's event loop, the result is available at once.
    static func of(_ channel: any Channel) -> EventLoopFuture<Peer?> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(nil)
        }
        let credentials: EventLoopFuture<CLinux_peer> = provider.unsafeGetSocketOption(
            level: SocketOptionLevel(SOL_SOCKET),
            name: SocketOptionName(CInt(CLinux_SO_PEERCRED))
        )
        return credentials.and(supplementaryGroups(provider, on: channel.eventLoop)).map { peer, groups in
            Peer(user: peer.user, groups: groups.union([peer.group]))
        }.recover { _ in nil }
    }

    /// Returns the supplementary groups; none if the kernel can't tell, so that nobody is let in by
    /// mistake.
    private static func supplementaryGroups(
        _ provider: any SocketOptionProvider,
        on loop: any EventLoop
    ) -> EventLoopFuture<Set<UInt32>> {
        let few: EventLoopFuture<InlineArray<64, UInt32>> = groups(provider)
        return few.map { groups in members(groups.indices.map { groups[$0] }) }.flatMapError { _ in
            // ERANGE means more than fit. 4,096 is far beyond what any directory service assigns.
            let many: EventLoopFuture<InlineArray<4096, UInt32>> = groups(provider)
            return many.map { groups in members(groups.indices.map { groups[$0] }) }.recover { _ in [] }
        }
    }

    // Through NIO the kernel can't say how many it filled in, so the rest stays zero. Group 0 is
    // therefore only believed as the effective group.
    private static func members(_ filled: [UInt32]) -> Set<UInt32> { Set(filled).subtracting([0]) }

    private static func groups<Groups: Sendable>(
        _ provider: any SocketOptionProvider
    ) -> EventLoopFuture<Groups> {
        provider.unsafeGetSocketOption(
            level: SocketOptionLevel(SOL_SOCKET),
            name: SocketOptionName(CInt(CLinux_SO_PEERGROUPS))
        )
    }
}
