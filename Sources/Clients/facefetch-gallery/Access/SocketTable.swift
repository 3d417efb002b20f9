import Glibc

/// Looks for sockets in the kernel's tables of all TCP sockets (proc(5)), where no single one can be asked about.
struct SocketTable {
    /// The tables; an IPv6 socket may talk to 127.0.0.1, too.
    static let paths = ["/proc/net/tcp", "/proc/net/tcp6"]

    /// True if there is one to read.
    static var isThere: Bool { access(paths[0], R_OK) == 0 }

    /// The connections that are looked for, and have not been found yet.
    private var wanted: Set<SocketPair>
    /// The users of those that were found.
    private(set) var users: [SocketPair: UInt32] = [:]
    /// The beginning of a row whose end has not come yet.
    private var partial: [UInt8] = []

    /// Looks for some connections.
    init(_ wanted: some Sequence<SocketPair>) { self.wanted = Set(wanted) }

    /// Looks for connections in all tables, each of which is read once, and gives the users of those that are there.
    ///
    /// No two sockets of a machine have the same pair of ends, of whichever family they are (RFC 9293 §3.4.1,
    /// RFC 4291 §2.5.5.2): so a row with both is the peer's own, in whichever table it is found.
    static func users(of wanted: some Sequence<SocketPair>) -> [SocketPair: UInt32] {
        var table = SocketTable(wanted)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        for path in paths {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            while !table.wanted.isEmpty {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                table.consume(buffer[..<count])
            }
            table.partial = []
        }
        return table.users
    }

    /// Consumes the next bytes of a table.
    mutating func consume(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if partial.isEmpty {
                look(at: rest[..<end])
            } else {
                partial += rest[..<end]
                look(at: partial[...])
                partial = []
            }
            rest = rest[(end + 1)...]
        }
        partial += rest
    }

    /// Looks at a row.
    private mutating func look(at row: ArraySlice<UInt8>) {
        // sl local_address rem_address st tx:rx tr:tm retrnsmt uid timeout inode …
        let words = row.split(separator: UInt8(ascii: " "), maxSplits: 10)
        guard words.count > 9, let peer = SocketEnd(row: words[1]), let own = SocketEnd(row: words[2]),
            let pair = SocketPair(peer: peer, own: own), wanted.remove(pair) != nil
        else { return }
        // A socket that nobody holds any more has the inode 0, and is said to be root's.
        guard !words[9].elementsEqual([UInt8(ascii: "0")]) else { return }
        users[pair] = UInt32(String(decoding: words[7], as: UTF8.self))
    }
}
