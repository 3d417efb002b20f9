import Testing

@testable import facefetch

@Suite("Where the socket is looked for")
struct SocketPathTests {
    private let all = ["FACEFETCH_SOCKET": "/env", "XDG_RUNTIME_DIR": "/run/user/1000"]

    @Test("The flag comes first, then the environment")
    func order() throws {
        #expect(try SocketPath.find(flag: "/flag", environment: all, exists: { _ in true }) == "/flag")
        #expect(try SocketPath.find(flag: nil, environment: all, exists: { _ in true }) == "/env")
    }

    @Test("The person's own is taken if it is there, else the system's")
    func own() throws {
        let environment = ["FACEFETCH_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/1000"]
        let own = "/run/user/1000/facefetch/control.sock"
        #expect(try SocketPath.find(flag: nil, environment: environment, exists: { $0 == own }) == own)
        #expect(
            try SocketPath.find(flag: nil, environment: environment, exists: { _ in false })
                == "/run/facefetch/control.sock"
        )
        #expect(
            try SocketPath.find(flag: nil, environment: [:], exists: { _ in true })
                == "/run/facefetch/control.sock"
        )
    }

    @Test("Without a session, it is beside the store of the person's daemon")
    func withoutSession() throws {
        for (environment, own) in [
            (["HOME": "/root"], "/root/.local/state/facefetch/control.sock"),
            (["HOME": "/root", "XDG_STATE_HOME": "/s"], "/s/facefetch/control.sock"),
        ] {
            #expect(try SocketPath.find(flag: nil, environment: environment, exists: { $0 == own }) == own)
        }
    }

    @Test(
        "Where there is none, but the person's own daemon listens, its file was removed, which is to be said"
    )
    func removed() throws {
        let environment = ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/1000"]
        let own = "/run/user/1000/facefetch/control.sock"
        func find(_ exists: Bool) throws -> String {
            let isThere = { (path: String) in path == SocketPath.system && exists }
            return try SocketPath.find(
                flag: nil,
                environment: environment,
                exists: isThere,
                isListening: { $0 == own }
            )
        }
        #expect(try find(false) == own)
        #expect(try find(true) == SocketPath.system)
    }

    @Test(
        "Of the kernel's table, only sockets that listen count",
        arguments: [
            (
                "000000008e66384c: 00000002 00000000 00010000 0001 01 12253182 /tmp/a b.sock\n",
                "/tmp/a b.sock"
            ),
            ("00000000311b1593: 00000003 00000000 00000000 0001 03    50\n", nil),
            ("000000008d23311b: 00000003 00000000 00000000 0001 03 12253184 /tmp/a b.sock\n", nil),
            ("00000000311b1593: 00000002 00000000 00010000 0001 01    50 /s\n", "/s"),
            ("Num       RefCount Protocol Flags    Type St Inode Path\n", nil), ("", nil),
        ] as [(String, String?)]
    )
    func table(line: String, path: String?) { #expect(ListeningSockets.path(in: line) == path) }

    @Test("A path that fits no address is refused")
    func tooLong() {
        let path = String(repeating: "é", count: 54)
        #expect(throws: ClientError.self) {
            try SocketPath.find(flag: path, environment: [:], exists: { _ in true })
        }
    }

    @Test("Queries are percent-encoded, and what is nil is left out")
    func queries() {
        #expect(
            HTTPRequest("GET", "/v1/jobs", query: [("state", "a b/é"), ("batch", nil), ("after", "x-1_~.")])
                .target
                == "/v1/jobs?state=a%20b%2F%C3%A9&after=x-1_~."
        )
        #expect(HTTPRequest("GET", "/v1/jobs", query: [("batch", nil)]).target == "/v1/jobs")
    }
}
