import Glibc
import NIOCore

/// Whose process is at the other end of a connection over the loopback interface.
enum LoopbackPeer {
    /// The kernel's tables of TCP sockets (proc(5)); an IPv6 socket may talk to 127.0.0.1, too.
    static let tables = ["/proc/net/tcp", "/proc/net/tcp6"]

    /// The user of the process that has connected; nil where the kernel doesn't say.
    ///
    /// No two sockets of a machine have the same pair of ends, of whichever family they are (RFC 9293 §3.4.1,
    /// RFC 4291 §2.5.5.2): so a row with both is the peer's own, in whichever table it is found.
    static func user(from peer: SocketAddress?, to own: SocketAddress?) -> UInt32? {
        guard let peer = peer.flatMap(SocketEnd.init), let own = own.flatMap(SocketEnd.init) else {
            return nil
        }
        for table in tables {
            guard let text = read(table) else { continue }
            if let user = user(in: text, from: peer, to: own) { return user }
        }
        return nil
    }

    /// The user of the socket that has one end and is connected to the other, both on this machine.
    static func user(in table: String, from peer: SocketEnd, to own: SocketEnd) -> UInt32? {
        guard peer.isLoopback, own.isLoopback else { return nil }
        for line in table.split(separator: "\n").dropFirst() {
            // sl local_address rem_address st tx:rx tr:tm retrnsmt uid timeout inode …
            let words = line.split(separator: " ", maxSplits: 10)
            guard words.count > 9, SocketEnd(row: words[1]) == peer, SocketEnd(row: words[2]) == own else {
                continue
            }
            // A socket that nobody holds any more has the inode 0, and is said to be root's.
            return words[9] == "0" ? nil : UInt32(words[7])
        }
        return nil
    }

    /// Whether the kernel tells at all.
    static var isKnowable: Bool { access(tables[0], R_OK) == 0 }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
