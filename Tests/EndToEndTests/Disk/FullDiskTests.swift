import ControlAPI
import Foundation
import JobCore
import JobModel
import JobStore
import TestSupport
import Testing
import Vocabulary

/// The real daemon on a small disk that fills.
@Suite(
    .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment)),
    .timeLimit(.minutes(2))
)
struct FullDiskTests {
    /// A daemon whose every file is on one small disk, and an origin with a file that fits.
    fileprivate struct Scene {
        static let reserve = 24 << 20

        let origin: Origin
        let disk: MemoryDisk
        let installation: Installation
        let daemon: Program
        let events: Program

        init(
            _ kind: MemoryDisk.Kind = .memory,
            bytes: Int = 192 << 20,
            reserve: Int = reserve,
            prepare: (Installation, Origin) throws -> Void = { _, _ in }
        ) async throws {
            origin = try Origin.start()
            disk = try MemoryDisk(kind, bytes: bytes)
            installation = try Installation(in: disk.path)
            try prepare(installation, origin)
            daemon = try await installation.startDaemon(environment: ["FACEFETCH_DISK_RESERVE": "\(reserve)"])
            events = try installation.follow()
            origin.serve("/small.jpg", OriginFile(seed: 3, count: 100_000))
            // The reserve is written bit by bit after the start; a disk that fills before has none.
            let store = installation.store
            let isReady = await FolderWatch.until(in: installation.directory.path("state")) {
                var status = stat()
                return stat(store + "-reserve", &status) == 0 && status.st_size >= 32 << 20
            }
            #expect(isReady, "the reserve isn't there")
        }

        /// Zeros without end, and without a word on how many.
        func serveEndless(_ path: String, entityTag: String?) {
            var file = OriginFile(
                path: "/dev/zero",
                count: 1 << 40,
                entityTag: entityTag,
                lastModified: nil,
                type: "image/jpeg"
            )
            file.date = nil
            let endless = file.whole.framed(.untilClose)
            origin.serve(path) { _ in endless }
        }

        func add(_ path: String) async throws -> Int32 {
            try await installation.facefetch("add", origin.url(path)).status
        }

        func end() async {
            events.signal(SIGKILL)
            #expect(await daemon.stop() == 0)
            origin.stop()
        }
    }

    @Test(
        "A body without end and without a length stops at the reserve, gives its room back, and others go on"
    )
    func endlessBody() async throws {
        let scene = try await Scene()
        scene.serveEndless("/endless.jpg", entityTag: nil)
        #expect(try await scene.add("/endless.jpg") == 0)
        #expect(await scene.events.outputLine(containing: "waiting to retry \"endless.jpg\" until ") != nil)
        #expect(
            await scene.events.outputLine(containing: "restarted download of \"endless.jpg\" from zero: ")
                != nil
        )
        let jobs = try scene.installation.jobs(try await scene.installation.facefetch("list", "--json"))
        #expect(jobs.first?.state == "waiting")
        #expect(jobs.first?.waiting?.code == "disk_full")
        // What is decided is told before the partial is removed.
        try await waitWhile { access(scene.installation.partials + "/1.part", F_OK) == 0 }
        // It would begin anew after ten seconds, which what follows may take on a busy machine.
        #expect(try await scene.installation.facefetch("pause", "1").status == 0)
        #expect(try await scene.add("/small.jpg") == 0)
        #expect(await scene.events.outputLine(containing: "stored \"small.jpg\" at ") != nil)
        #expect(scene.disk.freeBytes > Scene.reserve)
        #expect(try await scene.installation.facefetch("cancel", "1").status == 0)
        await scene.end()
    }

    @Test(
        "One that could be gone on with gives its room back all the same, and ends when it comes to the same place",
        arguments: ["\"v1\"", nil]
    )
    func endlessResumable(entityTag: String?) async throws {
        let scene = try await Scene()
        scene.serveEndless("/endless.jpg", entityTag: entityTag)
        #expect(try await scene.add("/endless.jpg") == 0)
        #expect(await scene.events.outputLine(containing: "waiting to retry \"endless.jpg\" until ") != nil)
        #expect(
            await scene.events.outputLine(containing: "restarted download of \"endless.jpg\" from zero: ")
                != nil
        )
        // Nobody pauses or cancels it, and everybody else goes on.
        for number in 1...3 {
            scene.origin.serve("/small\(number).jpg", OriginFile(seed: 3, count: 100_000))
            #expect(try await scene.add("/small\(number).jpg") == 0)
            #expect(await scene.events.outputLine(containing: "stored \"small\(number).jpg\" at ") != nil)
        }
        // It may have ended before the last of those.
        _ = try await scene.status { $0.jobs[.known(.failed)] == 1 }
        let jobs = try scene.installation.jobs(try await scene.installation.facefetch("list", "--json"))
        #expect(jobs.first { $0.id == 1 }?.error?.code == "too_large_for_disk")
        // What is decided is told before the partial is removed.
        try await waitWhile { scene.disk.freeBytes <= 2 * Scene.reserve }
        await scene.end()
    }

    @Test(
        "With no byte free, who pauses or cancels is obeyed, posts are refused, and no line of the log is lost",
        arguments: MemoryDisk.kinds
    )
    func noByteFree(kind: MemoryDisk.Kind) async throws {
        let scene = try await Scene(kind, reserve: 0)
        let gate = OriginGate()
        scene.origin.serve("/held.jpg") { _ in
            OriginFile(seed: 3, count: 100_000).whole.held(beforeByte: 50_000, by: gate)
        }
        let list = (0..<2000).map { _ in scene.origin.url("/held.jpg") }.joined(separator: "\n")
        try scene.installation.directory.write(Array(list.utf8), to: "list")
        let from = scene.installation.directory.path("list")
        #expect(try await scene.installation.facefetch("add", "--from", from).status == 0)
        #expect(await scene.events.outputLine(containing: "started download") != nil)
        scene.disk.fill(leaving: 0)
        #expect(try await scene.installation.facefetch("pause", "10").status == 0)
        #expect(try await scene.installation.facefetch("cancel", "11", "12").status == 0)
        #expect(try await scene.installation.facefetch("forget", "12").status == 0)
        let refused = try await scene.installation.facefetch("add", scene.origin.url("/small.jpg"))
        #expect(refused.errors.contains("he disk is full: "), "\(refused.errors)")
        #expect(refused.errors.contains(" MiB are free") && refused.errors.contains("until 40 are"))
        #expect(try await scene.installation.facefetch("cancel", "--all").status == 0)
        let status = try await scene.installation.facefetch("status")
        #expect(status.output.contains("the disk that the job store is on is full"), "\(status.output)")
        let counts = try await scene.installation.facefetch("list", "--state", "cancelled", "--json")
        #expect(counts.lines.count == 1999)
        gate.open()
        scene.disk.empty()
        #expect(await scene.added("/small.jpg"))
        #expect(await scene.events.outputLine(containing: "stored \"small.jpg\" at ") != nil)
        await scene.end()
        try scene.checkLog()
    }

    /// Jobs that are cancelled at once; with URLs of 2 KiB, their rows alone don't go into the reserve.
    private static let veryMany =
        ProcessInfo.processInfo.environment["FACEFETCH_CANCELLED_JOBS"].flatMap(Int64.init) ?? 20_000

    @Test("With no byte free, very many jobs are cancelled at once, by slices that the reserve has room for")
    func veryMany() async throws {
        let gate = OriginGate()
        // Such a URL is in the row and in the index of texts, and in each for the most part in a page of its own.
        let scene = try await Scene(bytes: 12_288 * Int(Self.veryMany) + 128 << 20, reserve: 0) {
            $1.serve("/held.jpg") { _ in
                OriginFile(seed: 3, count: 100_000).whole.held(beforeByte: 50_000, by: gate)
            }
            try $0.queue(Self.veryMany, $1.url("/held.jpg?" + String(repeating: "x", count: 2048)))
        }
        #expect(await scene.events.outputLine(containing: "started download") != nil)
        scene.disk.fill(leaving: 0)
        #expect(try await scene.installation.facefetch("cancel", "--all").status == 0)
        #expect(scene.disk.freeBytes < 32 << 20)
        let status = try await scene.status { _ in true }
        #expect(status.jobs[.known(.cancelled)] == Int(Self.veryMany))
        #expect(status.holds?.first?.kind == "disk")
        gate.open()
        scene.disk.empty()
        #expect(await scene.added("/small.jpg"))
        #expect(await scene.events.outputLine(containing: "stored \"small.jpg\" at ") != nil)
        await scene.end()
        let store = try JobStore(path: scene.installation.store, check: .whole)
        var waiting = WaitingJobs(
            transfers: TransferQueue(limits: .init(total: 1, perHost: 1)),
            documents: DetectionGate(isOpen: false, capacity: 1)
        )
        let state = try store.storedState(filling: &waiting)
        #expect(state.jobsByState[.cancelled] == Int(Self.veryMany) && state.broken.isEmpty)
    }

    @Test(
        "A start with no byte free is ready, says what it waits for, and goes on by itself",
        arguments: MemoryDisk.kinds
    )
    func start(kind: MemoryDisk.Kind) async throws {
        for hasReserve in [true, false] {
            let scene = try await Scene(kind, reserve: 0)
            #expect(try await scene.add("/small.jpg") == 0)
            #expect(await scene.events.outputLine(containing: "stored \"small.jpg\" at ") != nil)
            scene.events.signal(SIGKILL)
            #expect(await scene.daemon.stop() == 0)
            if !hasReserve { unlink(scene.installation.directory.path("state/facefetch.sqlite-reserve")) }
            scene.disk.fill(leaving: 0)
            let daemon = try Program(
                "facefetchd",
                scene.installation.flags,
                environment: ["FACEFETCH_DISK_RESERVE": "0"]
            )
            let words = hasReserve ? "ready:" : "there is no room on the disk for the job store"
            #expect(await daemon.errorLine(containing: words) != nil, "\(daemon.heardErrors)")
            let status = try await scene.status { hasReserve || $0.state == "starting" }
            #expect(status.state == (hasReserve ? "running" : "starting"))
            #expect(status.holds?.first?.kind == "disk")
            let shown = try await scene.installation.facefetch("status")
            #expect(shown.status == 0 && shown.output.contains("Waiting"), "\(shown.output)")
            #expect(try await scene.add("/small.jpg") != 0)
            scene.disk.empty()
            if !hasReserve { #expect(await daemon.errorLine(containing: "ready:") != nil) }
            #expect(await scene.added("/small.jpg"))
            let events = try scene.installation.follow()
            #expect(await events.outputLine(containing: "stored \"small (2).jpg\" at ") != nil)
            events.signal(SIGKILL)
            #expect(await daemon.stop() == 0)
            scene.origin.stop()
            try scene.checkLog()
        }
    }

    @Test(
        "A start with too little room for the reserve is said in the log with what it takes, and so is its end"
    )
    func littleRoom() async throws {
        let disk = try MemoryDisk(bytes: 96 << 20)
        let installation = try Installation(in: disk.path)
        disk.fill(leaving: 24 << 20)
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DISK_RESERVE": "0"])
        #expect(
            daemon.heardErrors.contains { $0.contains("is full") && $0.contains("until 40 MiB are free") }
        )
        let refused = try await installation.facefetch("add", "http://127.0.0.1:1/a.jpg")
        #expect(
            refused.errors.contains("the disk is full: ") || refused.errors.contains("The disk is full: ")
        )
        #expect(refused.errors.contains(" MiB are free") && refused.errors.contains("until 40 are"))
        disk.empty()
        #expect(await daemon.errorLine(containing: "downloads go on") != nil)
        #expect(try await installation.facefetch("add", "http://127.0.0.1:1/a.jpg").status == 0)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "No list in the watched folder takes what is kept free, however sparse, and one that never fits is put aside"
    )
    func sparseLists() async throws {
        let disk = try MemoryDisk(bytes: 192 << 20)
        let installation = try Installation(in: disk.path)
        let place = try TemporaryDirectory()
        let folder = try place.directory("lists")
        let daemon = try await installation.startDaemon(
            environment: [
                "FACEFETCH_DISK_RESERVE": "\(Scene.reserve)", "FACEFETCH_WATCH_DIRECTORY": folder,
                "FACEFETCH_TRANSFER_TIMETABLE": "00:00 pause",
            ]
        )
        func put(_ name: String, bytes: Int) throws {
            let path = try place.write([], to: "draft")
            try #require(truncate(path, off_t(bytes)) == 0 && rename(path, folder + "/" + name) == 0)
        }
        try put("huge.txt", bytes: 3 << 30)
        try put("large.txt", bytes: 512 << 20)
        // It would fit into the disk, but not beside what is there.
        disk.fill(leaving: 90 << 20)
        try put("some.txt", bytes: 80 << 20)
        #expect(await daemon.errorLine(containing: "some.txt waits: ") != nil)
        let isDone = await FolderWatch.until(in: folder) {
            let failed = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/failed")) ?? []
            return failed.count == 4
        }
        #expect(isDone)
        #expect(disk.freeBytes >= 80 << 20)
        for name in ["huge.txt", "large.txt"] {
            let reason = try place.read("lists/failed/\(name).reason.txt")
            #expect(String(decoding: reason, as: UTF8.self).contains("add it in parts"))
        }
        try place.write(Array("http://127.0.0.1:1/a.jpg\n".utf8), to: "lists/fine.txt")
        #expect(await FolderWatch.until(in: folder) { access(folder + "/fine.txt.added", F_OK) == 0 })
        #expect(await daemon.stop() == 0)
    }

    @Test("A daemon that waits for room to start ends in order when told to")
    func endOfWait() async throws {
        let disk = try MemoryDisk(bytes: 8 << 20)
        let installation = try Installation(in: disk.path)
        disk.fill(leaving: 0)
        let daemon = try Program("facefetchd", installation.flags)
        #expect(await daemon.errorLine(containing: "there is no room on the disk for ") != nil)
        #expect(await daemon.stop() == 0)
    }
}

extension Installation {
    fileprivate var store: String { directory.path("state/facefetch.sqlite") }

    /// Leaves a batch of queued jobs in the store, before there is a daemon.
    fileprivate func queue(_ count: Int64, _ url: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory.path("state"),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let store = try JobStore(path: store)
        let moment = Moment(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        var changes = StoreChanges()
        changes.newBatches = [
            StoreChanges.NewBatch(
                id: BatchID(rawValue: 1),
                createdAt: moment,
                submittedBy: nil,
                jobs: JobID(rawValue: 1)...JobID(rawValue: count),
                isVisible: true
            )
        ]
        let read = try JobURL(url)
        changes.newJobs = (1...count).map {
            Job(
                id: JobID(rawValue: $0),
                batch: BatchID(rawValue: 1),
                createdAt: moment,
                url: read,
                name: "held.jpg"
            )
        }
        try store.commit(changes)
        try store.close()
    }
}

extension FullDiskTests.Scene {
    /// Adds a file as soon as the daemon takes one.
    func added(_ path: String) async -> Bool {
        for _ in 0..<150 {
            if (try? await add(path)) == 0 { return true }
            try? await Task.sleep(for: .milliseconds(200))
        }
        return false
    }

    /// Returns the daemon's status, as soon as it is the one that is meant.
    func status(until isMeant: (StatusJSON) -> Bool) async throws -> StatusJSON {
        for _ in 0..<150 {
            let result = try await installation.facefetch("status", "--json")
            if let status = try? JSONDecoder().decode(StatusJSON.self, from: Data(result.output.utf8)),
                isMeant(status)
            {
                return status
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw Installation.NotReady(status: -1, errors: [])
    }

    /// Compares the event log's file with what the store has kept: every line once, in order.
    ///
    /// On a full disk, the oldest events make room for the newest once they are in the file, which still has them.
    func checkLog() throws {
        let store = try JobStore(path: installation.directory.path("state/facefetch.sqlite"))
        var events = try store.keptEvents(after: 0, limit: .max)
        // One is kept before the gap, so that the file can be compared with it after a start.
        if events.count > 1, events[1].id > events[0].id + 1 { events.removeFirst() }
        let lines = events.map(\.logLine)
        #expect(lines.count > 5)
        let log = try installation.eventLog()
        // A sentence and not both lists, which have thousands of lines.
        #expect(log.suffix(lines.count).elementsEqual(lines), "the file differs from the store")
        #expect(log.count == lines.count + Int(events.first?.id ?? 1) - 1)
    }
}
