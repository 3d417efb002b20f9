import ControlAPI
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// What isn't the fault of jobs, through the real daemon: no try counts, and everything goes on by itself.
@Suite("Patience", .serialized, .timeLimit(.minutes(3)))
struct PatienceTests {
    private static let impatient = ["FACEFETCH_TRANSFER_TRIES": "1", "FACEFETCH_DETECTION_WHEN": "never"]

    /// A server that answers so many requests in each length of time, and tells the others to wait for the rest of it.
    private final class Quota: Sendable {
        private let state = Mutex<(left: Int, until: ContinuousClock.Instant?, refused: Int)>((0, nil, 0))
        private let count: Int
        private let seconds: Double

        init(_ count: Int, in seconds: Double) { (self.count, self.seconds) = (count, seconds) }

        /// The number of requests that came in vain.
        var refused: Int { state.withLock(\.refused) }

        /// Returns the seconds to wait for one that comes now; nil for one that is answered.
        func wait() -> Int? {
            let now = ContinuousClock.now
            return state.withLock { state in
                if state.until.map({ $0 <= now }) ?? true {
                    (state.left, state.until) = (count, now + .seconds(seconds))
                }
                guard state.left == 0 else {
                    state.left -= 1
                    return nil
                }
                state.refused += 1
                let rest = state.until.map { $0 - now } ?? .zero
                return Int(rest.components.seconds) + 1
            }
        }
    }

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

    /// Waits until so many jobs are done.
    private func done(_ count: Int, _ installation: Installation) async -> Bool {
        await FolderWatch.until(in: installation.directory.path) {
            // Beside them may be the directory of unfinished files.
            (try? FileManager.default.contentsOfDirectory(atPath: installation.documents))?
                .count { !$0.hasPrefix(".") } == count
        }
    }

    @Test("Files come from hosts that answer while each of those before them, which don't, is asked once")
    func silentHosts() async throws {
        let gate = OriginGate()
        let silent = try (0..<4).map { _ in try Origin.start() }
        let (origin, file) = (try Origin.start(), OriginFile(seed: 3, count: 2000))
        defer {
            gate.open()
            for origin in silent + [origin] { origin.stop() }
        }
        for origin in silent { origin.serveOthers { file.answer(to: $0).held(by: gate) } }
        origin.serveOthers { file.answer(to: $0) }
        let installation = try Installation()
        // As many as these hosts could take, who have 24 connections at once.
        let daemon = try await installation.startDaemon(
            environment: Self.impatient.merging(["FACEFETCH_TRANSFER_CONCURRENCY": "4"]) { $1 }
        )
        let dead = silent.flatMap { origin in (0..<10).map { origin.url("/d\($0).jpg") } }
        try await add(dead + (0..<30).map { origin.url("/g\($0).jpg") }, to: installation)
        #expect(await done(30, installation))
        for origin in silent { #expect(origin.requests.count == 1) }
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "Two hundred files of a host that answers fifty in three seconds cost a few requests more than files"
    )
    func busyHost() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let (quota, file) = (Quota(50, in: 3), OriginFile(seed: 1, count: 2000))
        origin.serveOthers { request in
            quota.wait().map { OriginAnswer(429, [("Retry-After", "\($0)")]) } ?? file.answer(to: request)
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Self.impatient)
        try await add((1...200).map { origin.url("/\($0).jpg") }, to: installation)
        #expect(await done(200, installation))
        // Those that were under way when it first said so, and one each time after that.
        #expect(quota.refused <= 6 + 2 * 5, "\(quota.refused)")
        #expect(origin.requests.count == 200 + quota.refused)
        let status = try await status(installation)
        #expect(status.jobs[.known(.failed), default: 0] == 0)
        #expect(await daemon.stop() == 0)
        #expect(try installation.eventLog().filter { $0.contains("waiting") }.count <= quota.refused)
    }

    @Test("A host that asks to wait is told as a hold, and isn't asked by the next run of the daemon either")
    func restart() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serveOthers { _ in OriginAnswer(429, [("Retry-After", "86400")]) }
        let installation = try Installation()
        var daemon = try await installation.startDaemon(environment: Self.impatient)
        try await add((1...50).map { origin.url("/\($0).jpg") }, to: installation)
        #expect(await daemon.errorLine(containing: "429") != nil || origin.requests.count > 0)
        let isHeld = await FolderWatch.until(in: installation.directory.path) {
            (try? installation.eventLog())?.contains { $0.contains("waiting") } == true
        }
        #expect(isHeld)
        let hold = try #require(try await status(installation).holds?.first { $0.kind == .known(.host) })
        #expect(hold.host == "127.0.0.1:\(origin.port)" && hold.until != nil)
        let shown = try await installation.facefetch("show", "--json", "1")
        #expect(try installation.jobs(shown).first?.waiting?.isOwn == false)
        #expect(await daemon.stop() == 0)
        let asked = origin.requests.count
        #expect(asked <= 6)
        daemon = try await installation.startDaemon(environment: Self.impatient)
        #expect(try await status(installation).holds?.contains { $0.kind == .known(.host) } == true)
        #expect(origin.requests.count == asked)
        // A person who knows better has it asked: once, and it says the same again.
        let released = try await installation.facefetch("hosts", "--release", "127.0.0.1")
        #expect(released.status == 0 && released.output.contains("is asked again now"), "\(released.errors)")
        #expect(await daemon.errorLine(containing: "is asked before its time") != nil)
        let isAsked = await FolderWatch.until(in: installation.directory.path) {
            (try? installation.eventLog())?.filter { $0.contains("waiting") }.count ?? 0 > asked
        }
        #expect(isAsked && origin.requests.count == asked + 1)
        let nobody = try await installation.facefetch("hosts", "--release", "example.invalid")
        #expect(nobody.status != 0 && nobody.errors.contains("example.invalid"))
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "Documents remounted read-only: it is told once, nothing is asked for meanwhile, and nothing fails",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func readOnly() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 2000)
        origin.serveOthers { file.answer(to: $0) }
        let installation = try Installation()
        #expect(mkdir(installation.documents, 0o755) == 0)
        #expect(mount("tmpfs", installation.documents, "tmpfs", 0, "size=64m") == 0)
        defer { umount2(installation.documents, Int32(MNT_DETACH)) }
        let environment = Self.impatient.merging(["FACEFETCH_DISK_RESERVE": "0"]) { $1 }
        let daemon = try await installation.startDaemon(environment: environment)
        let isReadOnly = mount(nil, installation.documents, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
        #expect(isReadOnly, "\(String(cString: strerror(errno)))")
        try await add((1...200).map { origin.url("/\($0).jpg") }, to: installation)
        #expect(await daemon.errorLine(containing: "nothing can be written to") != nil)
        let hold = try #require(try await status(installation).holds?.first { $0.kind == .known(.storage) })
        #expect(hold.reason.contains(installation.documents))
        // How many are asked for before the first can't be written depends on the machine; from then on nothing is
        // but what was on its way, in the connections that a host may have.
        let asked = origin.requests.count
        for _ in 1...50 { #expect(try await status(installation).holds?.isEmpty == false) }
        #expect(asked < 200 && origin.requests.count <= asked + 6, "\(asked)")
        #expect(mount(nil, installation.documents, nil, UInt(MS_REMOUNT), nil) == 0)
        #expect(await done(200, installation))
        #expect(await daemon.stop() == 0)
        let lines = try installation.eventLog()
        #expect(lines.filter { $0.contains("waiting") || $0.contains("failed") }.isEmpty)
    }

    @Test(
        "Documents on a disk without inodes: it is told as the disk, nothing is asked for meanwhile, and nothing fails",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func noInodes() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 2000)
        origin.serveOthers { file.answer(to: $0) }
        let installation = try Installation()
        #expect(mkdir(installation.documents, 0o755) == 0)
        #expect(mount("tmpfs", installation.documents, "tmpfs", 0, "size=64m,nr_inodes=20") == 0)
        defer { umount2(installation.documents, Int32(MNT_DETACH)) }
        let environment = Self.impatient.merging(["FACEFETCH_DISK_RESERVE": "0"]) { $1 }
        let daemon = try await installation.startDaemon(environment: environment)
        try await add((1...1000).map { origin.url("/\($0).jpg") }, to: installation)
        try await waitWhile {
            let holds = try await status(installation).holds ?? []
            return !holds.contains { $0.kind == .known(.disk) && $0.reason.contains("no inodes are left") }
        }
        let asked = origin.requests.count
        for _ in 1...50 { #expect(try await status(installation).holds?.isEmpty == false) }
        #expect(asked < 500 && origin.requests.count <= asked + 6, "\(asked)")
        #expect(mount(nil, installation.documents, nil, UInt(MS_REMOUNT), "size=64m,nr_inodes=10000") == 0)
        #expect(await done(1000, installation))
        #expect(await daemon.stop() == 0)
        #expect(try installation.eventLog().filter { $0.contains("failed") }.isEmpty)
    }

    @Test(
        "A line that leads nowhere: it is told once, nothing fails, and the first host that answers ends it",
        .enabled(if: OwnNetwork.isPossible, OwnNetwork.comment)
    )
    func line() async throws {
        let network = try OwnNetwork()
        let origin = try network.inside { try Origin.start(address: "0.0.0.0") }
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 2000)
        origin.serveOthers { file.answer(to: $0) }
        let installation = try Installation()
        let flags = installation.flags
        try network.loseLine()
        let daemon = try network.inside { try Program("facefetchd", flags, environment: Self.impatient) }
        try #require(await daemon.errorLine(containing: "ready:") != nil)
        let hosts = ["93.184.216.34", "198.51.100.7"]
        try await add((1...60).map { origin.url("/\($0).jpg", at: hosts[$0 % 2]) }, to: installation)
        #expect(await daemon.errorLine(containing: "no host can be reached") != nil)
        let before = try await status(installation)
        #expect(before.holds?.first { $0.kind == .known(.network) }?.until != nil)
        #expect(before.jobs[.known(.failed), default: 0] == 0)
        try network.regainLine()
        // One that hasn't been tried yet is tried at once.
        try await add([origin.url("/61.jpg", at: "203.0.113.9")], to: installation)
        #expect(await daemon.errorLine(containing: "downloads go on") != nil)
        #expect(await done(61, installation))
        #expect(await daemon.stop() == 0)
        let lines = try installation.eventLog()
        #expect(lines.filter { $0.contains("waiting") || $0.contains("failed") }.isEmpty)
        #expect(daemon.heardErrors.filter { $0.contains("no host can be reached") }.count == 1)
    }

    @Test("A proxy's 407 holds what goes through it, and fails nothing")
    func proxy() async throws {
        let proxy = try Origin.start()
        defer { proxy.stop() }
        let isOpen = Mutex(false)
        let file = OriginFile(seed: 1, count: 2000)
        proxy.serveOthers { request in
            isOpen.withLock { $0 }
                ? file.answer(to: request)
                : OriginAnswer(407, [("Proxy-Authenticate", "Basic realm=\"x\"")])
        }
        let installation = try Installation()
        var environment = Self.impatient
        (environment["http_proxy"], environment["no_proxy"]) = (String(proxy.url("/").dropLast()), "")
        let daemon = try await installation.startDaemon(environment: environment)
        try await add((1...60).map { "http://pictures.invalid/\($0).jpg" }, to: installation)
        #expect(await daemon.errorLine(containing: "nothing gets through the proxy") != nil)
        let before = try await status(installation)
        #expect(before.holds?.contains { $0.kind == .known(.proxy) } == true)
        #expect(before.jobs[.known(.failed), default: 0] == 0 && proxy.requests.count <= 16)
        isOpen.withLock { $0 = true }
        try await add(["http://other.invalid/61.jpg"], to: installation)
        #expect(await done(61, installation))
        #expect(await daemon.stop() == 0)
    }

    @Test("So does one to a request for a tunnel, and a proxy that isn't there", arguments: [true, false])
    func tunnel(isThere: Bool) async throws {
        let proxy = try Origin.start()
        defer { proxy.stop() }
        proxy.serveOthers { _ in OriginAnswer(407, [("Proxy-Authenticate", "Basic realm=\"x\"")]) }
        let address = String(proxy.url("/").dropLast())
        if !isThere { proxy.stop() }
        let installation = try Installation()
        var environment = Self.impatient
        (environment["https_proxy"], environment["no_proxy"]) = (address, "")
        let daemon = try await installation.startDaemon(environment: environment)
        try await add((1...20).map { "https://pictures.invalid/\($0).jpg" }, to: installation)
        let line = await daemon.errorLine(containing: "nothing gets through the proxy")
        #expect(line != nil && (!isThere || line?.contains("407") == true))
        #expect(try await status(installation).jobs[.known(.failed), default: 0] == 0)
        #expect(await daemon.stop() == 0)
    }

    @Test("A start without the documents of the last run waits for them, and goes on where somebody says so")
    func otherDocuments() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 2000)
        origin.serveOthers { file.answer(to: $0) }
        let installation = try Installation()
        var daemon = try await installation.startDaemon(environment: Self.impatient)
        try await add((1...3).map { origin.url("/\($0).jpg") }, to: installation)
        #expect(await done(3, installation))
        #expect(await daemon.stop() == 0)
        // As where its disk isn't mounted, with a mount point or without.
        let (place, away) = (installation.documents, installation.documents + "-away")
        try FileManager.default.moveItem(atPath: place, toPath: away)
        for hasMountPoint in [false, true] {
            if hasMountPoint { #expect(mkdir(place, 0o755) == 0) }
            daemon = try Program("facefetchd", installation.flags, environment: Self.impatient)
            let line = await daemon.errorLine(containing: "goes on by itself once it is there")
            #expect(
                line?.contains(place) == true && line?.contains(".facefetch-accept") == true,
                "\(line ?? "")"
            )
            #expect(try await status(installation).holds?.first?.kind == .known(.storage))
            #expect(access(place, F_OK) == (hasMountPoint ? 0 : -1), "nothing is made there")
            if !hasMountPoint {
                #expect(await daemon.stop() == 0)
                continue
            }
            // It is mounted.
            #expect(rmdir(place) == 0)
            try FileManager.default.moveItem(atPath: away, toPath: place)
            #expect(await daemon.errorLine(containing: "ready:") != nil)
            try await add([origin.url("/4.jpg")], to: installation)
            #expect(await done(4, installation))
            #expect(await daemon.stop() == 0)
        }
        // Copied to another disk it is the same, and an empty one is if somebody says so.
        try FileManager.default.copyItem(atPath: place, toPath: away)
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.moveItem(atPath: away, toPath: place)
        daemon = try await installation.startDaemon(environment: Self.impatient)
        #expect(await daemon.stop() == 0)
        try FileManager.default.removeItem(atPath: place)
        #expect(mkdir(place, 0o755) == 0)
        #expect(FileManager.default.createFile(atPath: place + "/.facefetch-accept", contents: nil))
        daemon = try await installation.startDaemon(environment: Self.impatient)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
        #expect(await daemon.stop() == 0)
        // From then on that is the one.
        daemon = try await installation.startDaemon(environment: Self.impatient)
        #expect(await daemon.stop() == 0)
    }

    @Test("One that gets through to no host holds, and goes on once it does", arguments: [502, 503, 504])
    func beyondProxy(status code: Int) async throws {
        let proxy = try Origin.start()
        defer { proxy.stop() }
        proxy.serveOthers { _ in OriginAnswer(code) }
        let installation = try Installation()
        var environment = Self.impatient
        (environment["https_proxy"], environment["no_proxy"]) = (String(proxy.url("/").dropLast()), "")
        let daemon = try await installation.startDaemon(environment: environment)
        let hosts = ["pictures", "photographs", "paintings"]
        try await add((1...12).map { "https://\(hosts[$0 % 3]).invalid/\($0).jpg" }, to: installation)
        let line = await daemon.errorLine(containing: "nothing gets through the proxy")
        #expect(line?.contains("the proxy answered \(code)") == true, "\(line ?? "nothing")")
        #expect(try await status(installation).jobs[.known(.failed), default: 0] == 0)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "A start with documents that can't be written to waits, says so, and goes on by itself",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func startOnReadOnly() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 2000)
        origin.serveOthers { file.answer(to: $0) }
        let installation = try Installation()
        #expect(mkdir(installation.documents, 0o755) == 0)
        #expect(mount("tmpfs", installation.documents, "tmpfs", 0, "size=64m") == 0)
        defer { umount2(installation.documents, Int32(MNT_DETACH)) }
        let environment = Self.impatient.merging(["FACEFETCH_DISK_RESERVE": "0"]) { $1 }
        // There are partials, and documents, of an earlier run.
        var daemon = try await installation.startDaemon(environment: environment)
        try await add([origin.url("/1.jpg")], to: installation)
        #expect(await done(1, installation))
        #expect(await daemon.stop() == 0)
        #expect(mount(nil, installation.documents, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        daemon = try Program("facefetchd", installation.flags, environment: environment)
        #expect(
            await daemon.errorLine(containing: "goes on by itself once something can be written there") != nil
        )
        let waiting = try await status(installation)
        let hold = try #require(waiting.holds?.first)
        #expect(hold.kind == .known(.storage) && hold.reason.contains(installation.documents))
        let refused = try await installation.facefetch("add", origin.url("/2.jpg"))
        #expect(refused.status != 0 && refused.errors.contains(installation.documents), "\(refused.errors)")
        #expect(mount(nil, installation.documents, nil, UInt(MS_REMOUNT), nil) == 0)
        #expect(await daemon.errorLine(containing: "ready:") != nil)
        try await add([origin.url("/2.jpg")], to: installation)
        #expect(await done(2, installation))
        #expect(await daemon.stop() == 0)
    }
}
