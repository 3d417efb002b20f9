import ControlAPI
import Foundation
import TestSupport
import Testing

extension Alone {
    /// The daemon is killed at random moments while documents make room for others.
    ///
    /// EVICTION_KILLS and EVICTION_PICTURES set how often, and how many pictures come.
    @Suite(.serialized, .timeLimit(.minutes(30))) struct KilledEvictionTests {}
}

extension Alone.KilledEvictionTests {
    /// The recipe's pictures are this large, and a few bytes more.
    private static let padding = OriginContent.bytes(seed: 1, count: 80_000)
    /// The batch, whose documents may not make room.
    private static let kept = 5

    @Test(
        "However often the daemon is killed while documents make room, a small disk keeps its bound and store and disk agree",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func survivesKills() async throws {
        func setting(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
        let (kills, count) = (setting("EVICTION_KILLS") ?? 4, setting("EVICTION_PICTURES") ?? 400)
        // Half of what comes has to go again, and no more than half of the disk is for documents.
        let maximum = min(96 << 20, count / 2 * Self.padding.count)
        let list = try ListOrigin(count: count, pageSize: max(10, count / 10))
        defer { list.origin.stop() }
        list.origin.serveOthers { OriginFile(Array($0.path.utf8) + Self.padding).answer(to: $0) }
        let disk = try MemoryDisk(bytes: 200_000_000)
        let installation = try Installation(in: disk.path)
        let environment = [
            "FACEFETCH_DOCUMENTS_MAXIMUM_SIZE": "\(maximum)", "FACEFETCH_DETECTION_WHEN": "never",
            "FACEFETCH_DISK_RESERVE": "\(8 << 20)", "FACEFETCH_TRANSFER_PER_HOST": "16",
        ]
        let pictures: @Sendable () -> Int = {
            list.origin.requests.count { $0.path.hasPrefix("/picture/") }
        }
        var generator = SystemRandomNumberGenerator()
        var mostBytes = 0
        for kill in 0..<kills {
            let before = pictures()
            let daemon = try await installation.startDaemon(environment: environment)
            if kill == 0 {
                try await addKept(list.origin, installation)
                try await installation.addSource(list.recipe(more: "keep: evictable"))
            }
            // Some pictures, but no longer than a moment: they may all have come.
            let wanted = before + Int.random(in: 1...max(1, 2 * count / kills), using: &generator)
            for _ in 0..<2000 where pictures() < wanted {
                try await Task.sleep(for: .milliseconds(2))
                mostBytes = max(mostBytes, Self.bytes(in: installation.documents))
            }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &generator)))
            daemon.signal(SIGKILL)
            _ = await daemon.status
            mostBytes = max(mostBytes, Self.bytes(in: installation.documents))
        }
        let daemon = try await installation.startDaemon(environment: environment)
        _ = try await installation.facefetch("source", "poll", "list")
        _ = try #require(try await installation.source(within: .seconds(600)) { $0.state.code == .ended })
        let jobs = try await Self.jobsAtRest(in: installation)
        mostBytes = max(mostBytes, Self.bytes(in: installation.documents))
        // Documents that may not make room don't count.
        #expect(
            mostBytes <= maximum + Self.kept * (Self.padding.count + "/kept/1.jpg".utf8.count),
            "\(mostBytes)"
        )
        #expect(jobs.count == count + Self.kept && jobs.allSatisfy { $0.state == .known(.done) })
        let gone = jobs.filter { $0.evictedAt != nil }
        #expect(!gone.isEmpty && gone.allSatisfy { $0.source == "list" && $0.path == nil })
        // What the store says is there is there, whole; and nothing else is.
        let present = jobs.filter { $0.evictedAt == nil }
        for job in present {
            let name = try #require(job.path)
            #expect(name.hasPrefix(installation.documents + "/"))
            #expect(FileManager.default.contents(atPath: name)?.count == Int(job.bytes))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.documents)
        let claimed = present.compactMap { $0.path.map { URL(fileURLWithPath: $0).lastPathComponent } }
        #expect(names.sorted() == claimed.sorted())
        #expect(try FileManager.default.contentsOfDirectory(atPath: installation.partials).isEmpty)
        print("\(kills) kills, \(gone.count) of \(count) made room, \(mostBytes) of \(maximum) bytes at most")
        #expect(await daemon.stop() == 0)
    }

    /// The jobs once all are done and no document is being removed any more.
    ///
    /// While pages of them are read, documents on the first pages may still make room for files on the last.
    private static func jobsAtRest(in installation: Installation) async throws -> [JobJSON] {
        _ = try await installation.settledJobs()
        let begun = ContinuousClock.now
        while true {
            let jobs = try await installation.allJobs()
            let isAtRest = jobs.allSatisfy { $0.evictedAt == nil || $0.path == nil }
            if isAtRest || ContinuousClock.now - begun > .seconds(300) { return jobs }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Adds a few documents that nobody said may be removed.
    private func addKept(_ origin: Origin, _ installation: Installation) async throws {
        let items = (1...Self.kept).map { "{\"url\":\"\(origin.url("/kept/\($0).jpg"))\"}" }
        let answer = try await HTTPClient.send(
            "POST",
            "/v1/batches",
            "{\"items\":[\(items.joined(separator: ","))]}",
            to: installation.socket
        )
        #expect(answer.status == 201)
    }

    /// The bytes of all documents, as they are at about the same time.
    private static func bytes(in folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            return lstat(folder + "/" + name, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }
}
