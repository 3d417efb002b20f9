import Glibc
import Testing

@testable import CurlTransfer

@Suite("The watch over connections that libcurl may have stopped reading")
struct ConnectionWatchTests {
    typealias Sight = ConnectionWatch.Sight

    private static let one = ConnectionEnds(peer: .loopbackV4, peerPort: 443, ownPort: 40_000)
    private static let other = ConnectionEnds(peer: .loopbackV4, peerPort: 443, ownPort: 40_001)
    private static let stuck = Sight(read: 5000, delivered: 3000, hasNews: true, isPaused: false)

    private static func changed(_ change: (inout Sight) -> Void) -> Sight {
        var sight = stuck
        change(&sight)
        return sight
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// What is seen at each look; nil where no request uses the connection.
        var sights: [ConnectionWatch.Sight?]
        /// The looks after which it is given up.
        var givenUpAt: [Int]
    }

    static let cases: [Case] = [
        Case(
            testDescription: "one that nobody reads is given up after a few looks",
            sights: Array(repeating: stuck, count: 5),
            givenUpAt: [4]
        ),
        Case(
            testDescription: "and again, if it still has requests then",
            sights: Array(repeating: stuck, count: 10),
            givenUpAt: [4, 9]
        ),
        Case(
            testDescription: "one over which nothing comes may be slow",
            sights: Array(repeating: changed { $0.hasNews = false }, count: 20),
            givenUpAt: []
        ),
        Case(
            testDescription: "one that is read, if only now and then, isn't stuck",
            sights: (0..<20).map { look in changed { $0.read += UInt64(look / 4) } },
            givenUpAt: []
        ),
        Case(
            testDescription: "nor is one whose requests get what was read before",
            sights: (0..<20).map { look in changed { $0.delivered += Int64(look / 4) } },
            givenUpAt: []
        ),
        Case(
            testDescription: "one that a pause of ours keeps from being read is left alone",
            sights: Array(repeating: changed { $0.isPaused = true }, count: 20),
            givenUpAt: []
        ),
        Case(
            testDescription: "the looks after a pause count anew",
            sights: [stuck, stuck, stuck, stuck, changed { $0.isPaused = true }]
                + Array(repeating: stuck, count: 5),
            givenUpAt: [9]
        ),
        Case(
            testDescription: "so do those after a time without news",
            sights: [stuck, stuck, stuck, stuck, changed { $0.hasNews = false }]
                + Array(repeating: stuck, count: 4),
            givenUpAt: []
        ),
        Case(
            testDescription: "and those after a time without requests",
            sights: [stuck, stuck, stuck, stuck, nil, stuck, stuck, stuck, stuck],
            givenUpAt: []
        ),
    ]

    @Test(arguments: cases)
    func looks(_ example: Case) {
        var watch = ConnectionWatch()
        var givenUpAt: [Int] = []
        for (look, sight) in example.sights.enumerated() {
            let left = watch.look(at: sight.map { [Self.one: $0] } ?? [:])
            #expect(left.isEmpty || left == [Self.one])
            if !left.isEmpty { givenUpAt.append(look) }
        }
        #expect(givenUpAt == example.givenUpAt)
    }

    @Test("Each connection is watched by itself")
    func several() {
        var watch = ConnectionWatch()
        for look in 0..<20 {
            let busy = Self.changed { $0.read += UInt64(look) }
            let left = watch.look(at: [Self.one: busy, Self.other: Self.stuck])
            #expect(left == (look % 5 == 4 ? [Self.other] : []))
        }
    }

    @Test(
        "A look at a socket tells what has come, what of it was read, and whether the other end has closed it"
    )
    func socket() throws {
        let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let ours = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(listener)
            close(ours)
        }
        try #require(Self.withLoopback(port: 0) { bind(listener, $0, $1) } == 0 && listen(listener, 1) == 0)
        let port = Self.port(of: listener)
        try #require(Self.withLoopback(port: port) { connect(ours, $0, $1) } == 0)
        let ends = ConnectionEnds(peer: .loopbackV4, peerPort: port, ownPort: Self.port(of: ours))
        var sockets = ConnectionSockets()
        sockets.note(ends, among: [])
        let unknown = sockets.look(at: ends)
        #expect(unknown == nil)
        sockets.note(ends, among: [STDIN_FILENO, ours])
        let look = sockets.look(at: ends)
        let before = try #require(look)
        #expect(before.socket == ours && before.sight.received == 0 && before.sight.is_closed == 0)

        let theirs = accept(listener, nil, nil)
        try #require(send(theirs, "twelve bytes", 12, 0) == 12)
        var byte: UInt8 = 0
        // Waits for what has been sent.
        #expect(recv(ours, &byte, 1, 0) == 1)
        let middle = sockets.look(at: ends)?.sight
        let then = try #require(middle)
        #expect(then.received == 12 && then.unread == 11 && then.is_closed == 0)
        shutdown(theirs, Int32(SHUT_WR))
        // Waits for the end, too.
        var rest = [UInt8](repeating: 0, count: 12)
        #expect(recv(ours, &rest, 12, Int32(MSG_WAITALL)) == 11)
        let end = sockets.look(at: ends)?.sight
        let last = try #require(end)
        #expect(last.unread == 0 && last.is_closed != 0)
        close(theirs)
    }

    private static func withLoopback(
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func port(of socket: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
