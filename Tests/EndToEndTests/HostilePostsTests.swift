import ControlAPI
import Foundation
import Synchronization
import TestSupport
import Testing

/// Posts that are made to be expensive, at the real daemon.
struct HostilePostsTests {
    /// The progress of the posts of a test.
    private final class Progress: Sendable {
        let isDone = Atomic(false)
        let underWay = Atomic(0)
        let answered = Atomic(0)
    }

    @Test("While posts of escapes, nested arrays, numbers and recipes are under way, others are answered")
    func statusGoesOn() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let escapes = "{\"items\":[{\"url\":\"" + String(repeating: "\\n", count: 650_000) + "\"}]}"
        let nested = "{\"items\":" + String(repeating: "[", count: 1 << 20)
        let numbers =
            "{\"items\":[" + Array(repeating: "1", count: 5_000_000).joined(separator: ",") + "]}"
        let recipe = "name: a\nurl: http://h/\nitems: [" + String(repeating: "a,", count: 500_000) + "a]"
        let shorter = "name: a\nurl: http://h/\nitems: [" + String(repeating: "a,", count: 30_000) + "a]"
        let progress = Progress()
        let socket = installation.socket
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (target, body, status) in [
                ("batches", escapes, 422), ("batches", escapes, 422), ("batches", escapes, 422),
                ("batches", nested, 400), ("batches", numbers, 422),
                ("sources", recipe, 413), ("sources", shorter, 422), ("sources", shorter, 422),
                ("sources", shorter, 422), ("sources/try", numbers, 422),
            ] {
                group.addTask {
                    repeat {
                        progress.underWay.add(1, ordering: .relaxed)
                        let response = try await HTTPClient.send("POST", "/v1/\(target)", body, to: socket)
                        #expect(response.status == status, "\(target)")
                        progress.underWay.subtract(1, ordering: .relaxed)
                        progress.answered.add(1, ordering: .relaxed)
                    } while !progress.isDone.load(ordering: .relaxed)
                }
            }
            // How long each takes is for a quiet machine to say: `make test-system`.
            for _ in 1...200 {
                let response = try await HTTPClient.send("GET", "/v1/status", to: socket)
                #expect(response.status == 200 && progress.underWay.load(ordering: .relaxed) > 0)
            }
            progress.isDone.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        #expect(progress.answered.load(ordering: .relaxed) >= 10)
        // As a tree, the numbers alone would take more.
        #expect(try peakMemory(of: daemon) < 280_000)
        #expect(await daemon.stop() == 0)
    }

    @Test("Clients that ask without waiting for answers take little memory, and others are answered")
    func pipelines() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        // As much as a socket's buffer takes where nobody reads it.
        let requests = String(repeating: HTTPClient.request("GET", "/v1/metrics"), count: 2000)
        var clients: [UnixConnection] = []
        for _ in 1...400 {
            let client = try UnixConnection(path: installation.socket)
            try await client.send(requests)
            clients.append(client)
        }
        for _ in 1...20 {
            #expect(try await HTTPClient.send("GET", "/v1/status", to: installation.socket).status == 200)
        }
        // Parsed all at once, the requests would take more.
        #expect(try peakMemory(of: daemon) < 280_000)
        withExtendedLifetime(clients) {}
        clients = []
        #expect(await daemon.stop() == 0)
    }

    /// The most memory that a daemon has had, in kB.
    private func peakMemory(of daemon: Program) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(daemon.id)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return peak?.split(separator: " ").compactMap { Int($0) }.first ?? .max
    }
}
