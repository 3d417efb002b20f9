import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of followers of the real daemon, while that and the followers are killed.
@Suite(.timeLimit(.minutes(10)))
struct FollowingTests {
    /// Files instead of pictures, which end as soon as they are stored.
    private static let setting = ["FACEFETCH_DETECTION_WHEN": "never"]

    private static func number(_ name: String, otherwise value: Int) -> Int {
        Int(ProcessInfo.processInfo.environment[name] ?? "") ?? value
    }

    private static func origin(files count: Int) throws -> (origin: Origin, urls: [String]) {
        let origin = try Origin.start()
        let names = (1...count).map { "/\($0).txt" }
        for name in names { origin.serve(name, OriginFile(Array(name.utf8))) }
        return (origin, names.map { origin.url($0) })
    }

    private static func lines(_ path: String) -> [String] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    @Test("Every ending is handled at least once, however often the daemon and the follower are killed")
    func killed() async throws {
        let endings = Self.number("FACEFETCH_ENDINGS", otherwise: 120)
        let kills = Self.number("FACEFETCH_KILLS", otherwise: 4)
        let (origin, urls) = try Self.origin(files: endings)
        defer { origin.stop() }
        let installation = try Installation()
        let directory = installation.directory
        let log = directory.path("handled")
        func follow() throws -> Program {
            try Program(
                "facefetch",
                ["on", "done", "--from", "0", "--name", "test", "--jobs", "4", "--"]
                    + ["/bin/sh", "-c", "echo $0 >> \"$HERE/handled\"", "{job}"],
                environment: [
                    "FACEFETCH_SOCKET": installation.socket, "STATE_DIRECTORY": directory.path("on"),
                    "HERE": directory.path,
                ]
            )
        }
        var daemon = try await installation.startDaemon(environment: Self.setting)
        var follower = try follow()
        #expect(await follower.errorLine(containing: "Following done") != nil)
        let size = endings / (kills + 1)
        for round in 0...kills {
            let first = round * size
            let part = first..<(round < kills ? first + size : endings)
            try directory.write(Array(urls[part].joined(separator: "\n").utf8), to: "urls")
            #expect(try await installation.facefetch("add", "--from", directory.path("urls")).status == 0)
            guard round < kills else { break }
            // Something of this part has been handled, so that a new follower has found the daemon: one
            // that never has ends where there is none.
            let ids = Set(part.map { String($0 + 1) })
            #expect(await FolderWatch.until(in: directory.path) { !ids.isDisjoint(with: Self.lines(log)) })
            if round.isMultiple(of: 2) {
                follower.signal(SIGKILL)
                #expect(await follower.status == -SIGKILL)
                follower = try follow()
            } else {
                daemon.signal(SIGKILL)
                #expect(await daemon.status == -SIGKILL)
                daemon = try await installation.startDaemon(environment: Self.setting)
            }
        }
        let all = Set((1...endings).map(String.init))
        let isWhole = await FolderWatch.until(in: directory.path) { Set(Self.lines(log)) == all }
        let missed = all.subtracting(Self.lines(log))
        #expect(isWhole, "missed: \(missed.sorted())")
        // What was under way or not yet written down is handled again, and nothing else.
        #expect(Self.lines(log).count - endings <= kills * 200)
        #expect(await follower.stop() == -SIGTERM)
        #expect(await daemon.stop() == 0)
    }

    /// A request as the receiver wrote it down.
    private struct Request: Decodable {
        var id: String
        var events: [Event]

        struct Event: Decodable, Hashable {
            var id: String

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                id = try values.decode(String.self)
            }
        }
    }

    /// Starts a receiver that answers so, at the port of the one before.
    private static func receiver(
        _ log: String,
        _ answers: [String],
        port: String? = nil
    ) async throws -> (process: ChildProcess, port: String) {
        unlink(log + ".port")
        let process = try ChildProcess(
            "/usr/bin/env",
            (port.map { ["PORT=\($0)"] } ?? []) + [
                Repository.python ?? "python3", Repository.path("scripts/readers/receiver.py"), log,
            ] + answers
        )
        let folder = String(log[..<(log.lastIndex(of: "/") ?? log.startIndex)])
        #expect(await FolderWatch.until(in: folder) { access(log + ".port", R_OK) == 0 })
        return (process, try String(contentsOfFile: log + ".port", encoding: .utf8))
    }

    /// Waits until the receiver has got so many requests.
    private static func requests(_ count: Int, _ installation: Installation) async throws -> [Request] {
        let log = installation.directory.path("log")
        #expect(await FolderWatch.until(in: installation.directory.path) { lines(log).count >= count })
        return try lines(log).map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }

    private static func webhook(_ installation: Installation) async throws -> StatusJSON.Webhook {
        var client = try HTTPClient(path: installation.socket)
        let status: StatusJSON = try await client.send("GET", "/v1/status").decoded()
        return try #require(status.webhook)
    }

    @Test(
        """
        A receiver's trouble is shown, its hanging costs downloads nothing, and after a kill of the daemon \
        the same request goes out
        """
    )
    func webhook() async throws {
        let (origin, urls) = try Self.origin(files: 5)
        defer { origin.stop() }
        let installation = try Installation()
        let log = installation.directory.path("log")
        let (troubled, port) = try await Self.receiver(log, ["503/3600", "hang"])
        defer { troubled.stop() }
        let setting = Self.setting.merging(["FACEFETCH_WEBHOOK_URL": "http://127.0.0.1:\(port)/"]) { $1 }
        var daemon = try await installation.startDaemon(environment: setting)
        #expect(await installation.directory.appears("state/webhook"))

        #expect(try await installation.facefetch("add", "--wait", urls[0]).status == 0)
        _ = try await Self.requests(1, installation)
        var shown = try await Self.webhook(installation)
        while shown.state.known != .waiting { shown = try await Self.webhook(installation) }
        #expect(shown.lag == 1 && shown.lastError == "the receiver answered with status 503")
        #expect(shown.until != nil)
        var client = try HTTPClient(path: installation.socket)
        let metrics = try await client.send("GET", "/v1/metrics").text
        #expect(
            metrics.contains("facefetch_webhook_lag 1\n")
                && metrics.contains("facefetch_webhook_state{state=\"waiting\"} 1\n")
                && metrics.contains("facefetch_webhook_failures_total 1\n"),
            "\(metrics.split(separator: "\n").filter { $0.contains("webhook") })"
        )
        let status = try await installation.facefetch("status").output
        #expect(status.contains("the receiver answered with status 503"), "\(status)")

        // With the settings read again, it is tried at once.
        daemon.signal(SIGHUP)
        _ = try await Self.requests(2, installation)
        for url in urls.dropFirst() {
            #expect(try await installation.facefetch("add", "--wait", url).status == 0)
        }
        #expect(try await installation.facefetch("status").status == 0)
        daemon.signal(SIGKILL)
        #expect(await daemon.status == -SIGKILL)

        troubled.stop()
        let (well, _) = try await Self.receiver(log, ["200"], port: port)
        defer { well.stop() }
        daemon = try await installation.startDaemon(environment: setting)
        let last = try #require(
            try installation.jobs(try await installation.facefetch("list", "--json")).compactMap(\.ended)
                .max()
        )
        let state = installation.directory.path("state/webhook")
        #expect(
            await FolderWatch.until(in: installation.directory.path("state")) {
                let kept = (try? String(contentsOfFile: state, encoding: .utf8)) ?? ""
                // Members come in any order.
                let isThere = [",", "}"].contains { kept.contains("\"cursor\":\(last)\($0)") }
                return isThere && !kept.contains("\"id\"")
            }
        )
        let requests = try await Self.requests(3, installation)
        let pending = requests.prefix { $0.id == requests[0].id }
        #expect(pending.count >= 3 && Set(pending.map(\.events)).count == 1)
        let told = Set(requests.flatMap(\.events).map(\.id))
        let ended = try installation.jobs(try await installation.facefetch("list", "--json"))
            .compactMap(\.ended).map { "\($0)" }
        #expect(told == Set(ended) && ended.count == urls.count)
        #expect(await daemon.stop() == 0)
    }
}
