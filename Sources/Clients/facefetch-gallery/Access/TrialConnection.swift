import Glibc
import NIOCore

/// A connection of this process with itself over the loopback interface, to try things with.
struct TrialConnection: ~Copyable {
    /// Its two ends.
    let pair: SocketPair
    private let listener: Int32
    private let peer: Int32

    /// Connects; nil if that can't be done.
    init?() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let peer = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard let pair = Self.connect(peer, to: listener) else {
            for descriptor in [listener, peer] where descriptor >= 0 { close(descriptor) }
            return nil
        }
        (self.pair, self.listener, self.peer) = (pair, listener, peer)
    }

    deinit {
        close(peer)
        close(listener)
    }

    private static func connect(_ peer: Int32, to listener: Int32) -> SocketPair? {
        guard listener >= 0, peer >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                // Whoever listens takes no connection: the kernel makes it by itself.
                bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0
                    && Glibc.connect(peer, address, length) == 0
            }
        }
        guard isConnected else { return nil }
        let own = SocketEnd(SocketAddress(address))
        let named = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(peer, $0, &length) }
        }
        guard named == 0, let own, let end = SocketEnd(SocketAddress(address)) else { return nil }
        return SocketPair(peer: end, own: own)
    }
}
