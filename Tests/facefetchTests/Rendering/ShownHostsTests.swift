import ControlAPI
import TestSupport
import Testing

@testable import facefetch

@Suite("Hosts as a table")
struct ShownHostsTests {
    private static let hosts = [
        HostJSON(host: "a.example:443", active: 2, queued: 1234, pace: "2/s", streams: 17),
        HostJSON(
            host: "b.example:80",
            active: 0,
            queued: 7,
            waiting: .init(kind: .known(.asked), reason: "b.example asked to wait\u{1B}[2J")
        ),
    ]

    @Test("Each host has a line, and what a server said can do nothing to the terminal")
    func table() {
        #expect(
            ShownHosts.table(Self.hosts).lines(width: nil) == [
                "HOST           ACTIVE  QUEUED  STREAMS  PACE  WAITING",
                "a.example:443       2   1,234       17  2/s",
                "b.example:80        0       7                 "
                    + "b.example asked to wait\u{1B}[2J".safeForTerminal,
            ]
        )
        let until = HostJSON(
            host: "c:80",
            active: 0,
            queued: 1,
            waiting: .init(kind: .known(.asked), reason: "busy", until: "2026-11-21T06:45:03Z")
        )
        let line = ShownHosts.table([until]).lines(width: nil).last ?? ""
        #expect(line.hasSuffix("busy (until \(LocalTime.full("2026-11-21T06:45:03Z")))"), "\(line)")
    }

    @Test("Of a host that asks for a browser it is said what helps, and of others nothing")
    func browser() throws {
        var hosts = Self.hosts
        #expect(ShownHosts.advice(hosts).isEmpty)
        hosts[1].waiting = .init(kind: .known(.challenge), reason: "403")
        let advice = try #require(ShownHosts.advice(hosts).first)
        #expect(
            advice.contains("hosts.b.example.cookies") && advice.contains("--release b.example"),
            "\(advice)"
        )
    }

    @Test(
        "A host is meant by its name in either case, with a dot at its end, and with its port or without",
        arguments: [
            ("b.example", true), ("B.Example.", true), ("b.example:80", true), ("b.example:81", false),
            ("example", false),
        ]
    )
    func isMeant(name: String, isMeant: Bool) { #expect(Hosts.isMeant(Self.hosts[1], by: name) == isMeant) }

    @Test("facefetch hosts asks for all pages, and says where there is nothing")
    func command() async throws {
        let pages = Self.hosts
        let daemon = try ScriptedDaemon { request in
            let isSecond = request.query["after"] == "a.example:443"
            return .json(
                PageJSON<HostJSON>(
                    items: [pages[isSecond ? 1 : 0]],
                    total: 2,
                    hasMore: !isSecond,
                    next: isSecond ? nil : "a.example:443"
                )
            )
        }
        let all = try await ClientProcess.run(["hosts", "--socket", daemon.socketPath])
        #expect(all.status == 0 && all.lines.count == 3, "\(all.output)\(all.errors)")
        let json = try await ClientProcess.run(["hosts", "--json", "--socket", daemon.socketPath])
        #expect(json.lines.count == 2 && json.lines[0].contains(#""pace":"2/s""#), "\(json.output)")
        let none = try ScriptedDaemon { _ in
            .json(PageJSON<HostJSON>(items: [], total: 0, hasMore: false, next: nil))
        }
        let empty = try await ClientProcess.run(["hosts", "--socket", none.socketPath])
        #expect(empty.status == 0 && empty.lines.isEmpty && empty.errors.contains("Nothing is to be fetched"))
    }
}
