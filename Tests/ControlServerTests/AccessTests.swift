import ControlAPI
import Glibc
import TestSupport
import TestTraits
import Testing

@testable import ControlServer

@Suite("Who may change things", .ownThread)
struct AccessTests {
    // Another user can only be played by root, with the tools of util-linux and curl.
    static let canPlayOthers =
        geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0 && access("/usr/bin/curl", X_OK) == 0

    @Test("members of the write group may change things, others only look", .enabled(if: canPlayOthers))
    func writeGroup() async throws {
        var configuration = testConfiguration()
        configuration.writeGroup = 4321
        try await withServer(configuration) { server in
            // The directory and the socket are root's own otherwise.
            chmod(server.path, 0o666)
            chmod(String(server.path.dropLast("/control.sock".count)), 0o755)
            let look = try await ask(server, user: "65534", groups: "7", "GET", "/v1/status")
            #expect(look == "200")
            let change = try await ask(server, user: "65534", groups: "7", "POST", "/v1/detection/hold")
            #expect(change == "403")
            let member = try await ask(server, user: "65534", groups: "7,4321", "POST", "/v1/detection/hold")
            #expect(member == "200")
            let many = (5000..<5200).map(String.init).joined(separator: ",")
            let memberOfMany = try await ask(
                server,
                user: "65534",
                groups: many + ",4321",
                "POST",
                "/v1/detection/hold"
            )
            #expect(memberOfMany == "200")
            let root = try await server.send("POST", "/v1/detection/release")
            #expect(root.status == 200)
        }
    }

    @Test("who only may look changes nothing by any way in", .enabled(if: canPlayOthers))
    func everyEndpoint() async throws {
        var configuration = testConfiguration()
        configuration.writeGroup = 4321
        try await withServer(configuration) { server in
            chmod(server.path, 0o666)
            chmod(String(server.path.dropLast("/control.sock".count)), 0o755)
            let changing = Endpoint.all.filter(\.changesThings)
            #expect(changing.count > 20)
            for endpoint in changing {
                let path = endpoint.path.text.replacing(#/\{[a-z]+\}/#, with: "1")
                let method = endpoint.method.rawValue
                let status = try await ask(server, user: "65534", groups: "7", method, path)
                #expect(status == "403", "\(method) \(path)")
            }
        }
    }

    @Test(
        "an inherited socket that lets everyone connect still serves the group alone",
        .enabled(if: canPlayOthers)
    )
    func groupOfInheritedSocket() async throws {
        var configuration = testConfiguration()
        configuration.group = 4321
        try await withTemporaryDirectory { directory in
            let path = directory + "/control.sock"
            let address = try #require(SocketAddress(path: path))
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            #expect(address.withPointer { bind(descriptor, $0, $1) } == 0)
            listen(descriptor, 64)
            chmod(path, 0o666)
            chmod(directory, 0o755)
            let inherited = try ControlSocket.adopt(descriptor: descriptor)
            try await serve(on: inherited, configuration) { engine in
                let server = RunningServer(engine: engine, path: path)
                for (method, target) in [
                    ("GET", "/v1/status"), ("GET", "/v1/events?follow=false"), ("GET", "/v1/openapi.json"),
                    ("POST", "/v1/detection/hold"),
                ] {
                    let stranger = try await ask(server, user: "65534", groups: "7", method, target)
                    #expect(stranger == "403", "\(target)")
                    let member = try await ask(server, user: "65534", groups: "7,4321", method, target)
                    #expect(member == "200", "\(target)")
                }
                let first = try await ask(
                    server,
                    user: "65534",
                    group: "4321",
                    groups: "7",
                    "GET",
                    "/v1/status"
                )
                #expect(first == "200")
                let root = try await server.send("POST", "/v1/detection/release")
                #expect(root.status == 200)
            }
        }
    }

    @Test("who may do what goes by the groups, except for root and the daemon's own user")
    func rights() {
        func peer(_ user: UInt32, _ groups: UInt32...) -> Peer { Peer(user: user, groups: Set(groups)) }
        let open = Access(group: nil, writeGroup: nil, ownUser: 90)
        #expect(open.right(of: peer(1000, 1000)) == .change)
        #expect(open.right(of: nil) == .change)
        let both = Access(group: 10, writeGroup: 20, ownUser: 90)
        #expect(both.right(of: peer(1000, 1000)) == .nothing)
        #expect(both.right(of: peer(1000, 10)) == .look)
        #expect(both.right(of: peer(1000, 10, 20)) == .change)
        #expect(both.right(of: peer(1000, 20)) == .nothing)
        #expect(both.right(of: peer(0)) == .change)
        #expect(both.right(of: peer(90)) == .change)
        #expect(both.right(of: nil) == .nothing)
        // The root group is a group as any other.
        #expect(Access(group: 0, writeGroup: nil, ownUser: 90).right(of: peer(1000, 1000)) == .nothing)
        #expect(Access(group: 0, writeGroup: nil, ownUser: 90).right(of: peer(1000, 0)) == .change)
    }

    @Test("who holds too many connections is told so, and root isn't kept out", .enabled(if: canPlayOthers))
    func tooManyConnections() async throws {
        var configuration = testConfiguration()
        configuration.maximumConnections = 8
        // The follower notices by it that nobody reads any more.
        configuration.heartbeat = .milliseconds(100)
        try await withServer(configuration) { server in
            chmod(server.path, 0o666)
            chmod(String(server.path.dropLast("/control.sock".count)), 0o755)
            let curl = "/usr/bin/curl -s --unix-socket \(server.path) http://localhost/v1"
            let script = "\(curl)/events -N | { read -r greeting; \(curl)/status -w '%{http_code}'; }"
            let user = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
            let second = try await Task.detached {
                try Shell.run(user + ["/bin/sh", "-c", script]).output
            }.value
            #expect(second.contains("you hold too many connections") && second.hasSuffix("503"))
            // The follower's connection goes when the follower has gone.
            var alone = ""
            for _ in 0..<100 where alone != "200" {
                alone = try await ask(server, user: "65534", groups: "7", "GET", "/v1/status")
            }
            #expect(alone == "200")
            let root = try (0..<6).map { _ in try server.client() }
            for var client in root {
                let response = try await client.send("GET", "/v1/status")
                #expect(response.status == 200)
            }
        }
    }

    @Test("the user who posts is kept with the batch", .enabled(if: canPlayOthers))
    func submittedBy() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let batch: BatchJSON = try await server.send("GET", "/v1/batches/1").decoded()
            #expect(batch.submittedBy == 0)
        }
    }
}
