import Dispatch
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import facefetch_gallery

@Suite("Whose a connection over the loopback interface is")
struct LoopbackPeerTests {
    private func end(_ address: String, _ port: Int) throws -> SocketEnd {
        try #require(SocketEnd(SocketAddress(ipAddress: address, port: port)))
    }

    private func pair(_ peer: SocketEnd, _ own: SocketEnd) throws -> SocketPair {
        try #require(SocketPair(peer: peer, own: own))
    }

    private func pair(_ address: String, _ peer: Int, _ own: Int) throws -> SocketPair {
        try pair(try end(address, peer), try end(address, own))
    }

    /// A connection of this process, whose sides are closed at the end.
    private final class Connection {
        let listener, peer: Int32
        private(set) var ends: (peer: SocketAddress, own: SocketAddress)

        init(_ family: Int32, _ text: String) throws {
            func named(_ descriptor: Int32) throws -> SocketAddress {
                var address = sockaddr_storage()
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let result = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        getsockname(descriptor, $0, &length)
                    }
                }
                try #require(result == 0)
                return withUnsafePointer(to: address) { pointer in
                    family == AF_INET
                        ? pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                            SocketAddress($0.pointee)
                        }
                        : pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                            SocketAddress($0.pointee)
                        }
                }
            }
            listener = socket(family, Int32(SOCK_STREAM.rawValue), 0)
            peer = socket(family, Int32(SOCK_STREAM.rawValue), 0)
            let any = try SocketAddress(ipAddress: text, port: 0)
            ends = (any, any)
            let (listener, peer) = (listener, peer)
            try #require(any.withSockAddr { bind(listener, $0, socklen_t($1)) } == 0)
            try #require(listen(listener, 1) == 0)
            let own = try named(listener)
            try #require(own.withSockAddr { connect(peer, $0, socklen_t($1)) } == 0)
            ends = (try named(peer), own)
        }

        deinit {
            close(peer)
            close(listener)
        }
    }

    @Test(
        "the kernel tells it of the one connection, of whichever family, and of no other",
        .enabled(if: SocketDiagnosis() != nil, "needs sock_diag"),
        arguments: [
            (AF_INET, "127.0.0.1"), (AF_INET, "127.0.0.9"), (AF_INET6, "::1"), (AF_INET6, "::ffff:127.0.0.1"),
        ]
    )
    func diagnosis(family: Int32, address: String) throws {
        let diagnosis = try #require(SocketDiagnosis())
        let connection = try Connection(family, address)
        let peer = try #require(SocketEnd(connection.ends.peer))
        let own = try #require(SocketEnd(connection.ends.own))
        let pair = try self.pair(peer, own)
        #expect(diagnosis.user(of: pair) == geteuid())
        #expect(SocketTable.users(of: [pair]) == [pair: geteuid()])
        // Nobody is there; or somebody who only listens at that end; or with the port, but another address.
        let listening = try self.pair(own, try end("127.0.0.1", 1))
        #expect(diagnosis.user(of: listening) == nil && SocketTable.users(of: [listening]).isEmpty)
        let elsewhere = try self.pair(try end("127.0.0.77", Int(peer.port)), own)
        #expect(diagnosis.user(of: elsewhere) == nil && SocketTable.users(of: [elsewhere]).isEmpty)
    }

    @Test(
        "whose process is gone isn't said to be root's",
        .enabled(if: SocketDiagnosis() != nil, "needs sock_diag")
    )
    func gone() throws {
        let diagnosis = try #require(SocketDiagnosis())
        let pair: SocketPair
        do {
            let connection = try Connection(AF_INET, "127.0.0.1")
            let peer = try #require(SocketEnd(connection.ends.peer))
            let own = try #require(SocketEnd(connection.ends.own))
            pair = try self.pair(peer, own)
            #expect(diagnosis.user(of: pair) == geteuid())
        }
        #expect(diagnosis.user(of: pair) == nil && SocketTable.users(of: [pair]).isEmpty)
    }

    @Test("what isn't on the loopback interface is nobody's")
    func elsewhere() throws {
        let own = try end("127.0.0.1", 80)
        for address in ["10.0.0.1", "128.0.0.1", "::2", "fe80::1", "::ffff:10.0.0.1", "1::1"] {
            #expect(SocketPair(peer: try end(address, 1), own: own) == nil)
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let peer = try #require(LoopbackPeer())
        let outside = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
        #expect(try peer.user(from: outside, to: outside, on: loop).wait() == nil)
        #expect(try peer.user(from: nil, to: outside, on: loop).wait() == nil)
    }

    @Test("an address belongs to a network: IPv4 by itself, IPv6 by its first half, and this machine is one")
    func networks() throws {
        let network = { try self.end($0, 1).network }
        #expect(try network("10.0.0.1") != network("10.0.0.2"))
        #expect(try network("10.0.0.1") == network("::ffff:10.0.0.1"))
        #expect(try network("2001:db8::1") == network("2001:db8::ffff:0:0:2"))
        #expect(try network("2001:db8::1") != network("2001:db8:0:1::1"))
        #expect(try network("127.0.0.1") == network("127.9.9.9") && network("::1") == network("127.0.0.1"))
    }

    /// As Linux 6.1 has it, little-endian.
    private let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1FFF 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 100 1
           1: 0100007F:A0B0 0100007F:1FFF 01 00000000:00000000 00:00000000 00000000  1000        0 101 1
           2: 0100007F:1FFF 0100007F:A0B0 01 00000000:00000000 00:00000000 00000000     0        0 102 1
           3: 0A00000A:A0B1 0100007F:1FFF 01 00000000:00000000 00:00000000 00000000  1001        0 103 1
           4: 0100007F:A0B2 0100007F:1FFF 05 00000000:00000000 00:00000000 00000000     0        0 0 1
           5: 0000000000000000FFFF00000100007F:A0B3 0000000000000000FFFF00000100007F:1FFF 01 0:0 0:0 0 1002 0 1 1
           6: 00000000000000000000000001000000:A0B0 00000000000000000000000001000000:1FFF 01 0:0 0:0 0 1003 0 1 1
           7: torn

        """

    @Test("in the kernel's table a row with both ends is the peer's own", arguments: [1, 7, 64, 10_000])
    func rows(pieces: Int) throws {
        let wanted = [
            try pair("127.0.0.1", 0xA0B0, 0x1FFF), try pair("127.0.0.1", 0x1FFF, 0xA0B0),
            try pair("127.0.0.1", 0xA0B2, 0x1FFF), try pair("127.0.0.1", 1, 0x1FFF),
            try pair("127.0.0.2", 0xA0B0, 0x1FFF), try pair("127.0.0.1", 0xA0B3, 0x1FFF),
            try pair("::1", 0xA0B0, 0x1FFF), try pair("::1", 0xA0B3, 0x1FFF),
        ]
        var found = SocketTable(wanted)
        let bytes = Array(table.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            found.consume(bytes[start..<min(start + pieces, bytes.count)])
        }
        // Whose process is gone the kernel calls root's.
        #expect(
            found.users == [wanted[0]: 1000, wanted[1]: 0, wanted[5]: 1002, wanted[6]: 1003]
        )
    }

    @Test("the tables are read once for all who have come meanwhile")
    func reader() throws {
        /// Readings that wait until they may go on.
        final class Readings: Sendable {
            let counts = Mutex<[Int]>([])
            let begun = DispatchSemaphore(value: 0)
            let mayEnd = DispatchSemaphore(value: 0)
        }
        let readings = Readings()
        let reader = SocketTableReader { pairs in
            readings.counts.withLock { $0.append(pairs.count) }
            readings.begun.signal()
            readings.mayEnd.wait()
            return Dictionary(uniqueKeysWithValues: pairs.map { ($0, UInt32($0.peer.port)) })
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let pairs = try (1...4).map { try pair("127.0.0.1", $0, 80) }
        let first = reader.user(of: pairs[0], on: loop)
        readings.begun.wait()
        let others = pairs[1...3].map { reader.user(of: $0, on: loop) }
        for _ in 1...2 { readings.mayEnd.signal() }
        #expect(try first.wait() == 1)
        for (index, other) in others.enumerated() { #expect(try other.wait() == UInt32(index + 2)) }
        #expect(readings.counts.withLock { $0 } == [1, 3])
    }
}
