import Glibc
import NIOCore

/// Whose process is at the other end of a connection over the loopback interface.
enum LoopbackPeer {
    /// The kernel's tables of TCP sockets (proc(5)); an IPv6 socket may talk to 127.0.0.1, too.
    static let tables = ["/proc/net/tcp", "/proc/net/tcp6"]

    /// The user of the process that has connected; nil where the kernel doesn't say.
    static func user(from peer: SocketAddress?, to own: SocketAddress?) -> UInt32? {
        guard let peerPort = peer?.port, let ownPort = own?.port else { return nil }
        for table in tables {
            guard let text = read(table) else { continue }
            if let user = user(in: text, from: peerPort, to: ownPort) { return user }
        }
        return nil
    }

    /// The user of the socket that has one port and is connected to the other, both on this machine.
    static func user(in table: String, from peerPort: Int, to ownPort: Int) -> UInt32? {
        for line in table.split(separator: "\n").dropFirst() {
            // sl local_address rem_address st tx:rx tr:tm retrnsmt uid …
            let words = line.split(separator: " ", maxSplits: 8)
            guard words.count > 7, port(words[1]) == peerPort, port(words[2]) == ownPort,
                isLoopback(words[1]), isLoopback(words[2])
            else { continue }
            return UInt32(words[7])
        }
        return nil
    }

    private static func port(_ address: Substring) -> Int? {
        address.split(separator: ":").last.flatMap { Int($0, radix: 16) }
    }

    /// 127.0.0.0/8, ::1, or the first inside IPv6: words of the machine's byte order (little-endian here).
    private static func isLoopback(_ address: Substring) -> Bool {
        let digits = address.prefix { $0 != ":" }
        switch digits.count {
        case 8: return digits.hasSuffix("7F")
        case 32:
            return digits == "00000000000000000000000001000000"
                || (digits.hasPrefix("0000000000000000FFFF0000") && digits.hasSuffix("7F"))
        default: return false
        }
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
