import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of where a real daemon connects to, in a network where every address is this machine's: so whatever
/// isn't reached, would have been.
@Suite(.serialized, .enabled(if: OwnNetwork.isPossible, OwnNetwork.comment), .timeLimit(.minutes(2)))
struct PrivateAddressTests {
    private let network: OwnNetwork
    private let origin: Origin
    private let installation: Installation

    private static let publicAddress = "93.184.216.34"
    private static let privateAddress = "10.1.2.3"

    init() throws {
        let network = try OwnNetwork()
        self.network = network
        origin = try network.inside { try Origin.start(address: OwnNetwork.hasIPv6 ? "::" : "0.0.0.0") }
        installation = try Installation()
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 5000))
        origin.serve("/b.jpg", OriginFile(seed: 2, count: 5000))
    }

    /// Starts the daemon inside.
    private func daemon(_ environment: [String: String] = [:], flags: [String] = []) async throws -> Program {
        let all = installation.flags + flags
        let daemon = try network.inside { try Program("facefetchd", all, environment: environment) }
        try #require(await daemon.errorLine(containing: "ready:") != nil)
        return daemon
    }

    /// Fetches a URL, and says how that ended: "done", or the error's code.
    private func end(_ url: String) async throws -> String {
        let added = try await installation.facefetch("add", "--wait", "--json", url)
        let job = try #require(try installation.jobs(added).first, "\(added.errors)")
        return job.error?.code ?? job.state.text
    }

    /// Has a path lead to a URL.
    private func lead(_ path: String, _ target: String) { origin.serve(path) { _ in .redirect(target) } }

    private func url(_ path: String, _ host: String = publicAddress) -> String { origin.url(path, at: host) }

    @Test("A redirect from a public address to a private one is refused before anything is sent there")
    func redirect() async throws {
        let hosts = [Self.privateAddress, "127.0.0.1", "localhost", "0.0.0.0", "2130706433", "169.254.1.2"]
        let daemon = try await daemon(["FACEFETCH_TRANSFER_DENIED_NETWORKS": ""])
        for host in hosts {
            lead("/there", url("/a.jpg", host))
            #expect(try await end(url("/there")) == "refused_redirect", "\(host)")
            #expect(origin.requests("/a.jpg").isEmpty, "\(host)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: installation.documents).isEmpty)
        // Who has typed it gets it.
        for host in hosts { #expect(try await end(url("/a.jpg", host)) == "done", "\(host)") }
        #expect(await daemon.stop() == 0)
    }

    @Test("It is followed where that is set, as redirects among private or public addresses always are")
    func allowed() async throws {
        lead("/there", url("/a.jpg", Self.privateAddress))
        lead("/near", url("/b.jpg", "192.168.7.7"))
        lead("/far", url("/b.jpg", "8.8.8.8"))
        let daemon = try await daemon()
        #expect(try await end(url("/near", Self.privateAddress)) == "done")
        #expect(try await end(url("/far")) == "done")
        #expect(try await end(url("/far", Self.privateAddress)) == "done")
        #expect(try await end(url("/there")) == "refused_redirect")
        #expect(await daemon.stop() == 0)
        let lax = try await self.daemon(["FACEFETCH_TRANSFER_PRIVATE_BY_REDIRECT": "allow"])
        #expect(try await end(url("/there")) == "done")
        #expect(await lax.stop() == 0)
    }

    @Test("A public server between two private ones may not lead from one to the other")
    func between() async throws {
        lead("/out", url("/back"))
        lead("/back", url("/a.jpg", "192.168.7.7"))
        let daemon = try await daemon()
        #expect(try await end(url("/out", Self.privateAddress)) == "refused_redirect")
        #expect(origin.requests("/back").count == 1 && origin.requests("/a.jpg").isEmpty)
        #expect(await daemon.stop() == 0)
    }

    @Test("A connection that is there already is no way around: neither for a redirect nor past new settings")
    func reused() async throws {
        lead("/there", url("/b.jpg", Self.privateAddress))
        let settings = installation.directory.path("facefetchd.yaml")
        func write(_ text: String) throws {
            try installation.directory.write(Array(text.utf8), to: "facefetchd.yaml")
        }
        try write("transfer: {denied-networks: []}\n")
        let manager = try ServiceManager(path: installation.directory.path("notify"))
        let daemon = try await daemon(["NOTIFY_SOCKET": manager.path], flags: ["--config", settings])
        _ = await manager.messages(until: "READY=1")
        #expect(try await end(url("/a.jpg", Self.privateAddress)) == "done")
        #expect(try await end(url("/a.jpg", Self.privateAddress)) == "done")
        let connections = origin.connectionCount
        #expect(connections == 1, "the connection isn't kept, so this shows nothing")
        #expect(try await end(url("/there")) == "refused_redirect")
        #expect(origin.requests("/b.jpg").isEmpty)

        try write("transfer: {denied-networks: [10.0.0.0/8]}\n")
        daemon.signal(SIGHUP)
        _ = await manager.messages(until: "READY=1")
        let before = origin.requests.count
        #expect(try await end(url("/a.jpg", Self.privateAddress)) == "denied_network")
        #expect(origin.requests.count == before)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "An IPv4 address that is denied is not reached by an IPv6 address that has it inside",
        .enabled(if: OwnNetwork.hasIPv6, "there is no IPv6")
    )
    func embedded() async throws {
        let hosts = [
            "[::ffff:10.1.2.3]", "[::10.1.2.3]", "[::ffff:0:10.1.2.3]", "[64:ff9b::10.1.2.3]",
            "[64:ff9b:1::10.1.2.3]", "[64:ff9b:1:a01:2:300::]", "[2002:a01:203::1]",
            "[2001:0:a01:203::1]", "[2600::5efe:10.1.2.3]", "[0:0:0:0:0:FFFF:0A01:0203]",
        ]
        let strict = try await daemon(["FACEFETCH_TRANSFER_DENIED_NETWORKS": "10.0.0.0/8"])
        for host in hosts {
            lead("/there", url("/a.jpg", host))
            #expect(try await end(url("/a.jpg", host)) == "denied_network", "\(host)")
            #expect(try await end(url("/there")) == "denied_network", "\(host)")
        }
        #expect(await strict.stop() == 0)
        let daemon = try await daemon()
        for host in hosts {
            lead("/there", url("/a.jpg", host))
            #expect(try await end(url("/there")) == "refused_redirect", "\(host)")
            #expect(origin.requests("/a.jpg").isEmpty, "\(host)")
        }
        for host in hosts {
            #expect(try await end(url("/a.jpg", host)) == "done", "\(host) would have been reached")
        }
        #expect(await daemon.stop() == 0)
    }

    @Test("A name is looked at by the address that it leads to, each time")
    func name() async throws {
        // What the system's own file of names says of this machine.
        lead("/there", url("/a.jpg", "localhost"))
        let daemon = try await daemon(["FACEFETCH_TRANSFER_DENIED_NETWORKS": "127.0.0.0/8, ::1"])
        #expect(try await end(url("/a.jpg", "localhost")) == "denied_network")
        #expect(try await end(url("/there")) == "denied_network")
        #expect(origin.requests("/a.jpg").isEmpty)
        #expect(await daemon.stop() == 0)
    }
}
