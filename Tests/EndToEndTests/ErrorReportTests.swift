import Foundation
import GRDB
import PaintedPictures
import TestSupport
import TestTraits
import Testing

extension Alone {
    /// The daemon's own faults, as they reach a receiver of others' making.
    @Suite(.timeLimit(.minutes(5)), .ownThread) struct ErrorReportTests {}
}

extension Alone.ErrorReportTests {
    /// The Python that has Bugsink; `scripts/install-bugsink` makes it.
    private static let folder = Repository.path(".build/bugsink")
    private static let areThere =
        FileManager.default.isExecutableFile(atPath: folder + "/bin/python")
        && FileManager.default.fileExists(atPath: folder + "/empty.sqlite3") && FaultyDisk.isThere

    /// An event as Bugsink has digested it.
    private struct Digested: Decodable {
        struct Event: Decodable {
            struct Exceptions: Decodable { var values: [[String: String]] }
            var fingerprint: [String]
            var exception: Exceptions
        }
        var issue: String
        var event: Event

        var kind: String { event.fingerprint.dropFirst().first ?? "" }
    }

    private func digested(_ directory: TemporaryDirectory) throws -> [Digested] {
        let text = String(decoding: try directory.read("bugsink/events"), as: UTF8.self)
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(Digested.self, from: Data($0.utf8))
        }
    }

    /// All that is kept to be sent, by file.
    private func spooled(_ installation: Installation) throws -> [String: String] {
        let folder = installation.directory.path("state/reports")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, String(decoding: try installation.directory.read("state/reports/" + $0), as: UTF8.self))
            }
        )
    }

    /// Waits until a report of a kind is kept, and another file, if one is named.
    private func isKept(
        _ kind: String,
        _ installation: Installation,
        besides other: String? = nil
    ) async -> Bool {
        let folder = installation.directory.path("state/reports")
        return await FolderWatch.until(in: folder) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            guard other.map(names.contains) ?? true else { return false }
            return names.contains { name in
                name.hasSuffix(".report")
                    && (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8))?.contains(kind)
                        == true
            }
        }
    }

    @Test(
        "Faults reach Bugsink, each once, over a kill of the daemon, and name no URL, path or document",
        .enabled(if: areThere, "needs Bugsink (scripts/install-bugsink), and libFaultyDisk.so")
    )
    func faults() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let painted = OriginFile(try PaintedPicture(faces: 1, seed: 4).jpeg())
        origin.serve("/private/holiday-one.jpg", painted)
        origin.serve("/private/holiday-two.jpg", painted)
        let installation = try Installation()
        let directory = installation.directory

        // A receiver that is dead, a damaged store, and a detector that crashes.
        _ = try directory.directory("state")
        try directory.write(
            Array(String(repeating: "this is not a store\n", count: 500).utf8),
            to: "state/facefetch.sqlite"
        )
        let programs = try ScriptedPrograms.make("kill -SEGV $$\nexec sleep 1000\n", in: directory)
        let disk = FaultyDisk(installation)
        let dead = [
            "FACEFETCH_REPORTING_DSN": "http://k3y@127.0.0.1:9/1", "FACEFETCH_DETECTION_WHEN": "always",
        ]
        let first = try Program(
            programs + "/facefetchd",
            installation.flags,
            environment: disk.environment.merging(dead) { $1 }
        )
        #expect(await first.errorLine(containing: "was damaged") != nil)
        try #require(await first.errorLine(containing: "ready:") != nil)
        let one = try await installation.facefetch(
            "add",
            "--wait",
            "--json",
            origin.url("/private/holiday-one.jpg")
        )
        #expect(try installation.jobs(one).first?.detection?.outcome == "crashed")
        #expect(await isKept("child_ended", installation))
        try disk.fail(.sync, with: EIO, in: "/documents")
        _ = try await installation.facefetch("add", origin.url("/private/holiday-two.jpg"))
        #expect(await isKept("publish_failed", installation))
        let status = try await installation.facefetch("status")
        #expect(
            status.output.contains("Reports     ") && status.output.contains(", 0 sent"),
            "\(status.output)"
        )
        first.signal(SIGKILL)
        #expect(await first.status == -SIGKILL)
        disk.heal()

        // Another daemon gets stuck, and is killed for it.
        let manager = try ServiceManager(path: directory.path("notify"))
        let watched = ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000"]
        let second = try Program(
            "facefetchd",
            installation.flags,
            environment: dead.merging(watched) { $1 }
        )
        _ = await manager.messages(until: "READY=1")
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        // The daemon may be writing just now.
        configuration.busyMode = .timeout(60)
        let other = try DatabaseQueue(
            path: directory.path("state/facefetch.sqlite"),
            configuration: configuration
        )
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        async let added = installation.facefetch("add", "http://127.0.0.1:9/a.jpg")
        #expect(await isKept("part_stuck", installation, besides: "stuck"))
        second.signal(SIGKILL)
        #expect(await second.status == -SIGKILL)
        _ = try await added
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        let spooled = try spooled(installation)
        #expect(spooled["stuck"]?.isEmpty == false)

        // The next one finds a receiver that lives.
        let bugsink = try directory.directory("bugsink")
        let receiver = try Program(
            Self.folder + "/bin/python",
            [
                Repository.path("scripts/readers/error_receiver.py"), "serve", Self.folder + "/empty.sqlite3",
                bugsink,
            ]
        )
        defer { receiver.signal(SIGKILL) }
        #expect(await directory.appears("bugsink/dsn"))
        let dsn = String(decoding: try directory.read("bugsink/dsn"), as: UTF8.self)
        let third = try await installation.startDaemon(environment: ["FACEFETCH_REPORTING_DSN": dsn])
        let expected = [
            "store_set_aside", "child_ended", "publish_failed", "part_stuck", "ended_while_stuck",
        ]
        let reports = directory.path("state/reports")
        #expect(
            await FolderWatch.until(in: reports) {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: reports)) ?? [".report"]
                return !names.contains { $0.hasSuffix(".report") }
            }
        )
        let events = try digested(directory)
        #expect(Set(events.map(\.kind)) == Set(expected), "\(events.map(\.event.fingerprint))")
        // Each once, and each an issue of its own.
        #expect(Set(events.map(\.event.fingerprint)).count == events.count)
        #expect(Set(events.map(\.issue)).count == events.count)
        let child = events.first { $0.kind == "child_ended" }?.event
        #expect(child?.fingerprint == ["facefetch", "child_ended", "face detector", "SIGSEGV", "jpeg"])
        let words = child?.exception.values.first?["value"]
        #expect(
            words == "a face detector was ended by SIGSEGV at a picture (jpeg, \(painted.bytes.count) bytes)"
        )
        #expect(await third.stop() == 0)

        // Nothing is sent twice.
        let fourth = try await installation.startDaemon(environment: ["FACEFETCH_REPORTING_DSN": dsn])
        #expect(await fourth.stop() == 0)
        let again = try digested(directory).map(\.event.fingerprint)
        #expect(again == events.map(\.event.fingerprint))

        let sent = String(decoding: try directory.read("bugsink/bodies"), as: UTF8.self)
        #expect(sent.contains("SIGSEGV"))
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let machine = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let secrets = [
            "holiday", "private", ":\(origin.port)", ":9/", "a.jpg", directory.path, "/state", "/documents",
            ".sqlite",
            NSUserName(), machine,
        ]
        for text in spooled.values + [sent] {
            for secret in secrets where secret.utf8.count > 3 && secret != "localhost" {
                #expect(!text.contains(secret), "\(secret) is in \(text)")
            }
        }
    }
}
