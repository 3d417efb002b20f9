import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

/// The daemon as a service manager sees it: readiness, status, the watchdog, and the end.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ServiceTests {
    private let installation: Installation
    private let manager: ServiceManager

    init() throws {
        installation = try Installation()
        manager = try ServiceManager(path: installation.directory.path("notify"))
    }

    private func start(_ environment: [String: String] = [:]) throws -> Program {
        try Program(
            "facefetchd",
            installation.flags,
            environment: environment.merging(["NOTIFY_SOCKET": manager.path]) { $1 }
        )
    }

    /// Holds the store's write lock, as a disk that hangs would.
    private func block(_ body: () async throws -> Void) async throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(
            path: installation.directory.path("state/facefetch.sqlite"),
            configuration: configuration
        )
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        do {
            try await body()
        } catch {
            try? await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            throw error
        }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }

    @Test("Each part is named as it starts; READY comes last, and STOPPING before anything else of the end")
    func life() async throws {
        let daemon = try start()
        let starting = await manager.messages(until: "READY=1").flatMap { $0 }
        let statuses = starting.filter { $0.hasPrefix("STATUS=") }
        #expect(
            statuses == [
                "STATUS=reading the settings…", "STATUS=taking the state directory…",
                "STATUS=opening the job store…", "STATUS=opening the documents directory…",
                "STATUS=opening the event log…", "STATUS=opening the control socket…",
                "STATUS=starting transfers…", "STATUS=starting the face detectors…",
                "STATUS=taking up sources…", "STATUS=taking up unfinished jobs…", "STATUS=idle",
            ]
        )
        #expect(starting.filter { $0.hasPrefix("EXTEND_TIMEOUT_USEC=") }.count == 9)
        // Ready means that a job is accepted.
        #expect(try await installation.facefetch("status").status == 0)
        daemon.signal(SIGTERM)
        let stopping = await manager.messages(until: "STOPPING=1")
        #expect(stopping.last?.first == "STOPPING=1")
        #expect(await daemon.status == 0)
        #expect(access(installation.socket, F_OK) != 0)
    }

    @Test("The status line follows the work, and says when there is none")
    func statusLine() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let gate = OriginGate()
        let file = OriginFile(seed: 1, count: 3000)
        for index in 1...3 {
            origin.serve("/\(index).jpg") { file.answer(to: $0).held(beforeByte: 1000, by: gate) }
        }
        let daemon = try start(["FACEFETCH_TRANSFER_PER_HOST": "2"])
        _ = await manager.messages(until: "READY=1")
        _ = try await installation.facefetch(
            "add",
            origin.url("/1.jpg"),
            origin.url("/2.jpg"),
            origin.url("/3.jpg")
        )
        let busy = await manager.messages(until: "STATUS=2 downloading, 1 queued")
        #expect(busy.last?.contains("STATUS=2 downloading, 1 queued") == true)
        gate.open()
        #expect(await manager.messages(until: "STATUS=idle").last?.contains("STATUS=idle") == true)
        #expect(await daemon.stop() == 0)
    }

    @Test("The watchdog is fed, until the engine is stuck")
    func watchdog() async throws {
        let daemon = try start(["WATCHDOG_USEC": "400000"])
        _ = await manager.messages(until: "READY=1")
        for _ in 1...4 { _ = await manager.messages(until: "WATCHDOG=1") }
        try await block {
            // The engine waits for the lock as long as SQLite lets it, and for that time nobody is fed.
            async let added = installation.facefetch("add", "http://127.0.0.1:9/a.jpg")
            // Others may be late as well, on a busy machine; they are named with it.
            let line = await daemon.errorLine(containing: "did not answer in time")
            #expect(line?.contains("the engine") == true, "\(line ?? "nothing was said")")
            daemon.signal(SIGKILL)
            _ = try await added
        }
        #expect(await daemon.status == -SIGKILL)
    }

    @Test("A second signal ends it at once, with status 0 and without its socket")
    func secondSignal() async throws {
        let daemon = try start()
        _ = await manager.messages(until: "READY=1")
        try await block {
            async let added = installation.facefetch("add", "http://127.0.0.1:9/a.jpg")
            daemon.signal(SIGTERM)
            _ = await manager.messages(until: "STOPPING=1")
            let again = ContinuousClock.now
            daemon.signal(SIGINT)
            #expect(await daemon.status == 0)
            // By itself it would wait 4 seconds for what hangs.
            #expect(await again.duration(to: daemon.endTime) < .seconds(2))
            #expect(access(installation.socket, F_OK) != 0)
            _ = try await added
        }
    }

    @Test("A stop that hangs ends within 5 seconds all the same, and nothing that was told is lost")
    func hangingStop() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let gate = OriginGate()
        let file = OriginFile(seed: 1, count: 300_000)
        origin.serve("/a.jpg") { file.answer(to: $0).held(beforeByte: 100_000, by: gate) }
        let daemon = try start()
        _ = await manager.messages(until: "READY=1")
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        #expect(await daemon.errorLine(containing: "30% done") != nil)
        try await block {
            let asked = ContinuousClock.now
            // After 5 seconds SQLite would give up waiting for the lock, and the status would be 74.
            #expect(await daemon.stop() == 0)
            #expect(await asked.duration(to: daemon.endTime) < .seconds(5))
            #expect(access(installation.socket, F_OK) != 0)
        }
        gate.open()
        let again = try await installation.startDaemon()
        let events = try installation.follow()
        #expect(await events.outputLine(containing: "stored \"a.jpg\"") != nil)
        events.signal(SIGKILL)
        #expect(try installation.document("a.jpg") == file.bytes)
        #expect(await again.stop() == 0)
    }

    @Test("Told to end before it is ready, it ends with 0")
    func endsInStart() async throws {
        let daemon = try start()
        _ = await manager.messages(until: "STATUS=opening the job store")
        daemon.signal(SIGTERM)
        #expect(await daemon.status == 0)
        #expect(access(installation.socket, F_OK) != 0)
    }

    @Test("A model that can't be read ends the start with 78, and names the setting")
    func noModel() async throws {
        let result = try await Program.run(
            "facefetchd",
            installation.flags,
            environment: ["FACEFETCH_DETECTION_MODEL": "/no/such/model.xml"]
        )
        #expect(result.status == 78)
        #expect(result.errors.contains("detection.model") && result.errors.contains("/no/such/model.xml"))
    }
}
