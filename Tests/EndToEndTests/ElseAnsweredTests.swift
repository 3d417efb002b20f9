import ControlAPI
import Foundation
import Synchronization
import TestSupport
import Testing

/// What answers instead of files, through the real daemon: it is known for what it is, and told.
@Suite("What answers instead of a file", .serialized, .timeLimit(.minutes(3)))
struct ElseAnsweredTests {
    private static let impatient = ["FACEFETCH_TRANSFER_TRIES": "1", "FACEFETCH_DETECTION_WHEN": "never"]

    private func status(_ installation: Installation) async throws -> StatusJSON {
        let result = try await installation.facefetch("status", "--json")
        return try JSONDecoder().decode(StatusJSON.self, from: Data(result.output.utf8))
    }

    private func add(_ urls: [String], to installation: Installation) async throws {
        let list = installation.directory.path("list")
        try Data(urls.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: list))
        let added = try await installation.facefetch("add", "--from", list)
        #expect(added.status == 0, "\(added.errors)")
    }

    /// Waits until so many documents are there.
    private func done(_ count: Int, _ installation: Installation) async -> Bool {
        await FolderWatch.until(in: installation.directory.path) {
            (try? FileManager.default.contentsOfDirectory(atPath: installation.documents))?
                .count { !$0.hasPrefix(".") } == count
        }
    }

    @Test(
        "A portal, by a redirect, in the hosts' place or by 511: nothing fails, it is told, and all go on behind it",
        .enabled(if: OwnNetwork.isPossible, OwnNetwork.comment),
        arguments: [302, 200, 511]
    )
    func portal(answer: Int) async throws {
        let network = try OwnNetwork()
        let origin = try network.inside { try Origin.start(address: "0.0.0.0") }
        defer { origin.stop() }
        let isLoggedIn = Mutex(false)
        let file = OriginFile(seed: 1, count: 2000)
        let login = origin.url("/login", at: "203.0.113.200")
        origin.serveOthers { request in
            if request.path.hasPrefix("/login") { return .loginPage }
            if isLoggedIn.withLock({ $0 }) { return file.answer(to: request) }
            return answer == 302
                ? .redirect("\(login)?for=\(request.path)") : answer == 200 ? .loginPage : OriginAnswer(511)
        }
        let installation = try Installation()
        let flags = installation.flags
        let daemon = try network.inside { try Program("facefetchd", flags, environment: Self.impatient) }
        try #require(await daemon.errorLine(containing: "ready:") != nil)
        let hosts = ["93.184.216.34", "198.51.100.7", "203.0.113.9"]
        try await add((1...60).map { origin.url("/\($0).jpg", at: hosts[$0 % 3]) }, to: installation)
        #expect(await daemon.errorLine(containing: "a portal answers instead of the hosts") != nil)
        let before = try await status(installation)
        #expect(before.holds?.first { $0.kind == "portal" }?.until != nil)
        #expect(before.jobs[.known(.failed), default: 0] == 0)
        let doctor = try await installation.facefetch("doctor")
        #expect(doctor.output.contains("log in there"), "\(doctor.output)")
        isLoggedIn.withLock { $0 = true }
        // One that hasn't been tried yet is tried at once.
        try await add([origin.url("/61.jpg", at: "203.0.113.10")], to: installation)
        #expect(await daemon.errorLine(containing: "downloads go on") != nil)
        #expect(await done(61, installation))
        #expect(await daemon.stop() == 0)
        let lines = try installation.eventLog()
        #expect(lines.filter { $0.contains("waiting") || $0.contains("failed") }.isEmpty)
    }

    @Test("A host that asks for a browser is left alone, with what helps, until a person says otherwise")
    func challenge() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let isSatisfied = Mutex(false)
        let file = OriginFile(seed: 1, count: 2000)
        origin.serveOthers { request in
            isSatisfied.withLock { $0 }
                ? file.answer(to: request)
                : OriginAnswer(403, [("cf-mitigated", "challenge"), ("Content-Type", "text/html")])
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Self.impatient)
        try await add((1...100).map { origin.url("/\($0).jpg") }, to: installation)
        try await waitWhile {
            try await status(installation).holds?.contains { $0.reason.contains("asks for a browser") }
                != true
        }
        let failed = try await status(installation).jobs[.known(.failed), default: 0]
        let asked = origin.requests.count
        #expect(failed == 2 && asked < 16, "\(failed) failed, \(asked) asked")
        let hosts = try await installation.facefetch("hosts")
        #expect(
            hosts.output.contains("asks for a browser") && hosts.errors.contains("hosts.127.0.0.1.cookies")
        )
        let doctor = try await installation.facefetch("doctor")
        #expect(doctor.output.contains("cookies.txt"), "\(doctor.output)")
        isSatisfied.withLock { $0 = true }
        let released = try await installation.facefetch("hosts", "--release", "127.0.0.1")
        #expect(released.status == 0, "\(released.errors)")
        #expect(await done(98, installation))
        #expect(await daemon.stop() == 0)
    }

    @Test("One URL to which its host always answers 429 holds up the others once")
    func oneURL() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 2000)
        origin.serveOthers { request in
            request.path == "/bad.jpg" ? OriginAnswer(429, [("Retry-After", "2")]) : file.answer(to: request)
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Self.impatient)
        let names = ["bad"] + (1...40).map(String.init)
        try await add(names.map { origin.url("/\($0).jpg") }, to: installation)
        #expect(await done(40, installation))
        // It goes on by itself, and holds nobody.
        try await waitWhile { origin.requests.count { $0.path == "/bad.jpg" } < 4 }
        #expect(try await status(installation).holds?.isEmpty ?? true)
        #expect(try await status(installation).jobs[.known(.failed), default: 0] == 0)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "While the clock shows a time of before the program nothing is fetched, it is told, and setting it ends that",
        .enabled(if: FaultyDisk.isThere, Comment(rawValue: FaultyDisk.comment))
    )
    func clock() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 2000)
        origin.serveOthers { file.answer(to: $0) }
        let installation = try Installation()
        let disk = FaultyDisk(installation)
        try disk.setClock(by: -20 * 365 * 86_400)
        let daemon = try await installation.startDaemon(
            environment: Self.impatient.merging(disk.environment) { $1 }
        )
        try await add([origin.url("/1.jpg")], to: installation)
        #expect(daemon.heardErrors.contains { $0.contains("this machine's clock is wrong") })
        #expect(try await status(installation).holds?.map(\.kind) == ["clock"])
        #expect(origin.requests.isEmpty)
        disk.heal()
        #expect(await done(1, installation))
        #expect(await daemon.stop() == 0)
    }
}
