import ControlAPI
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import ControlServer

@Suite("Who may change things")
struct AccessTests {
    /// Asks over the socket as another user, through a process of that user's own.
    private func ask(
        _ server: RunningServer,
        user: String,
        groups: String,
        _ method: String,
        _ path: String
    ) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try Shell.run([
                            "/usr/bin/setpriv", "--reuid", user, "--regid", user, "--groups", groups,
                            "--inh-caps=-all",
                            "/usr/bin/curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", method,
                            "--unix-socket", server.path, "http://localhost" + path,
                        ]).output
                    }
                )
            }
        }
    }

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

    @Test("the user who posts is kept with the batch", .enabled(if: canPlayOthers))
    func submittedBy() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let batch: BatchJSON = try await server.send("GET", "/v1/batches/1").decoded()
            #expect(batch.submittedBy == 0)
        }
    }
}
