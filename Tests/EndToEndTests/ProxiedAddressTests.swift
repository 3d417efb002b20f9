import ControlAPI
import Foundation
import TestSupport
import Testing

/// Tests of what a real daemon asks a proxy for: names are the proxy's to look up, addresses are looked at.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ProxiedAddressTests {
    private let proxy: Origin
    private let installation: Installation

    init() throws {
        // Not in the network that is denied, or it couldn't be connected to either.
        proxy = try Origin.start(address: "127.9.9.9")
        installation = try Installation()
        // Whatever it is asked for, it has.
        let file = OriginFile(seed: 1, count: 5000)
        proxy.serveOthers { file.answer(to: $0) }
    }

    private func daemon(deniedNetworks: String? = nil) async throws -> Program {
        var environment = ["http_proxy": String(proxy.url("/").dropLast()), "no_proxy": ""]
        environment["FACEFETCH_TRANSFER_DENIED_NETWORKS"] = deniedNetworks
        return try await installation.startDaemon(flags: installation.flags, environment: environment)
    }

    private func end(_ url: String) async throws -> String {
        let added = try await installation.facefetch("add", "--wait", "--json", url)
        guard let job = try installation.jobs(added).first else { return "not taken: \(added.errors)" }
        return job.error?.code ?? job.state.text
    }

    @Test("It isn't asked for an address in a denied network, however that is written")
    func denied() async throws {
        let daemon = try await daemon(deniedNetworks: "127.0.0.0/16, 169.254.0.0/16")
        let hosts = [
            "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0.0.0.0", "0", "127.0.0.1.",
            "localhost", "LOCALHOST.", "pictures.localhost", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[::]",
            "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "169.254.169.254", "[::ffff:a9fe:a9fe]",
            "user:password@127.0.0.1", "127%2E0.0.1", "\u{FF11}\u{FF12}\u{FF17}.0.0.1", "127\u{3002}0.0.1",
        ]
        for host in hosts {
            let end = try await end("http://\(host)/a.jpg")
            #expect(end == "denied_network" || end.hasPrefix("not taken"), "\(host): \(end)")
        }
        #expect(proxy.requests.isEmpty, "\(proxy.requests.map(\.path))")
        for host in ["pictures.invalid", "8.8.8.8", "[2600::1]", "127.0.0.1.pictures.invalid"] {
            #expect(try await end("http://\(host)/a.jpg") == "done", "\(host)")
        }
        #expect(await daemon.stop() == 0)
    }

    @Test("It isn't asked for a private address that a public server leads to, nor one that a name leads to")
    func redirects() async throws {
        let daemon = try await daemon(deniedNetworks: "")
        let targets = ["10.1.2.3", "127.1", "localhost", "[fd00::1]", "[::ffff:192.168.1.1]", "0x0A010203"]
        for (number, target) in targets.enumerated() {
            for host in ["93.184.216.34", "pictures.invalid"] {
                proxy.serve("http://\(host)/\(number)") { _ in .redirect("http://\(target)/inside.jpg") }
                #expect(try await end("http://\(host)/\(number)") == "refused_redirect", "\(host), \(target)")
            }
        }
        #expect(!proxy.requests.contains { $0.path.hasSuffix("/inside.jpg") })
        // Who has typed it gets it, and what leads from there to its neighbour.
        proxy.serve("http://10.9.9.9/there") { _ in .redirect("http://10.1.2.3/inside.jpg") }
        #expect(try await end("http://10.9.9.9/there") == "done")
        #expect(try await end("http://127.0.0.1/inside.jpg") == "done")
        #expect(await daemon.stop() == 0)
    }
}
