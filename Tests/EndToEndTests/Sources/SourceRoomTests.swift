import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

/// Sources on a disk that is full, and what the daemon's status says of sources.
struct SourceRoomTests {
    @Test("A page for which the disk has no room is waited for in words, and is no failure")
    func reserve() async throws {
        let list = try ListOrigin(count: 25)
        defer { list.origin.stop() }
        let installation = try Installation()
        func configure(_ reserve: String) throws -> String {
            let text = "disk: {reserve: \(reserve)}\ndetection: {when: held}\n"
            return try installation.directory.write(Array(text.utf8), to: "facefetchd.yaml")
        }
        let file = try configure("900TB")
        let daemon = try await installation.startDaemon(flags: ["--config", file])
        try await installation.addSource(list.recipe())
        let waiting = try #require(try await installation.source { $0.state.code == .waiting })
        #expect(waiting.state.reason?.contains("disk.reserve") == true, "\(waiting.state.reason ?? "")")
        #expect(waiting.pages == 0 && waiting.lastError == nil)
        let status = try await installation.facefetch("status")
        #expect(status.output.contains("Sources     1 waiting"), "\(status.output)")
        // A page that somebody hands over takes no more of it.
        let page = try installation.directory.write(Array(#"{"items":[]}"#.utf8), to: "page.json")
        let recipe = try installation.directory.write(Array(list.recipe("tried").utf8), to: "tried.yaml")
        let tried = try await installation.facefetch("source", "try", recipe, "--page", page)
        #expect(tried.status != 0 && tried.errors.contains("disk.reserve"), "\(tried)")
        _ = try configure("0")
        daemon.signal(SIGHUP)
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.new == 25)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "A list that fills the disk leaves it, and is read once there is room",
        .enabled(if: MemoryDisk.isPossible, "\(MemoryDisk.comment)")
    )
    func fullDisk() async throws {
        let disk = try MemoryDisk(.memory, bytes: 160 << 20)
        let origin = try Origin.start()
        defer { origin.stop() }
        let note = String(repeating: "x", count: 900)
        let rows = (0..<20_000).map { "https://127.0.0.1:1/\($0).jpg,\(note)\n" }
        let text = "url,note\n" + rows.joined()
        origin.serve("/list.csv") { _ in OriginAnswer(200, body: Array(text.utf8)).framed(.chunked) }
        let installation = try Installation(in: disk.path)
        let environment = Installation.plain.merging(["FACEFETCH_DISK_RESERVE": "\(8 << 20)"]) { $1 }
        let daemon = try await installation.startDaemon(environment: environment)
        let filler = disk.path + "/filler"
        _ = FileManager.default.createFile(atPath: filler, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(filePath: filler))
        while disk.freeBytes > 20 << 20 { try handle.write(contentsOf: Data(count: 1 << 20)) }
        try handle.close()
        let recipe = """
            name: list
            kind: csv
            url: \(origin.url("/list.csv"))
            job: {url: .url}
            every: never
            ahead: 100000
            """
        try await installation.addSource(recipe)
        let waiting = try #require(try await installation.source { $0.state.code == .waiting })
        #expect(waiting.state.reason?.hasPrefix("the disk has no room") == true)
        #expect(disk.freeBytes > 12 << 20)
        try FileManager.default.removeItem(atPath: filler)
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.items == 20_000 && end.new == 20_000)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "While the store is full no page is asked for, and the pace counts the one that was asked for in vain",
        .enabled(if: MemoryDisk.isPossible, "\(MemoryDisk.comment)")
    )
    func fullStore() async throws {
        let disk = try MemoryDisk(.memory, bytes: 160 << 20)
        let list = try ListOrigin(count: 25)
        defer { list.origin.stop() }
        let gate = OriginGate()
        defer { gate.open() }
        list.answer { [weak list] _, page in page == 2 ? list?.honest(2).held(by: gate) : nil }
        let installation = try Installation(in: disk.path)
        let environment = Installation.plain.merging(["FACEFETCH_DISK_RESERVE": "0"]) { $1 }
        let daemon = try await installation.startDaemon(environment: environment)
        let reserve = installation.directory.path("state/facefetch.sqlite-reserve")
        let isReady = await FolderWatch.until(in: installation.directory.path("state")) {
            var status = stat()
            return stat(reserve, &status) == 0 && status.st_size >= 32 << 20
        }
        #expect(isReady)
        // Three pages, one of them twice.
        try await installation.addSource(list.recipe(more: "pace: 4/h"))
        await gate.reached()
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 10 })
        let other = try installation.directory.write(Array(list.recipe("other").utf8), to: "other.yaml")
        disk.fill(leaving: 0)
        gate.open()
        let waiting = try #require(try await installation.source { $0.state.code == .waiting })
        #expect(waiting.state.reason?.contains("has no room") == true, "\(waiting.state.reason ?? "")")
        #expect(waiting.lastError == nil && waiting.new == 10)
        #expect(list.origin.requests("/list").count == 2)
        let added = try await installation.facefetch("source", "add", other)
        #expect(added.errors.contains("MiB are free where the job store is"), "\(added.errors)")
        disk.empty()
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.new == 25 && end.walk?.number == 1)
        #expect(list.origin.requests("/list").count == 4)
        let keys = try await installation.allJobs().compactMap(\.itemKey)
        #expect(keys.count == 25 && Set(keys).count == 25)
        #expect(await daemon.stop() == 0)
    }

    @Test("Status and metrics count sources, what they have listed, and what went wrong")
    func figures() async throws {
        let list = try ListOrigin(count: 25)
        defer { list.origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        #expect(try await installation.facefetch("status").output.contains("Sources") == false)
        try await installation.addSource(list.recipe())
        _ = try #require(try await installation.source { $0.state.code == .ended })
        list.answer { _, _ in OriginAnswer(401) }
        _ = try await installation.addSource(list.recipe("locked"), "locked")
        _ = try #require(try await installation.source("locked") { $0.state.code == .failed })
        let status = try await installation.facefetch("status", "--json")
        let sources = try JSONDecoder().decode(StatusJSON.self, from: Data(status.output.utf8)).sources
        #expect(sources?.ended == 1 && sources?.failed == 1 && sources?.reading == 0)
        var client = try HTTPClient(path: installation.socket)
        let metrics = try await client.send("GET", "/v1/metrics").text.split(separator: "\n").map(String.init)
        for line in [
            "facefetch_sources{state=\"ended\"} 1", "facefetch_sources{state=\"failed\"} 1",
            "facefetch_source_pages_total{source=\"list\"} 3",
            "facefetch_source_items_total{source=\"list\"} 25",
            "facefetch_source_new_items_total{source=\"list\"} 25",
            "facefetch_source_errors_total{source=\"locked\",code=\"unauthorized\"} 1",
            "facefetch_source_lag_seconds{source=\"list\"} 0",
        ] {
            #expect(metrics.contains(line), "\(line)")
        }
        let lag = metrics.first { $0.hasPrefix("facefetch_source_lag_seconds{source=\"locked\"}") }
        #expect(lag != nil && lag?.hasSuffix(" 0") == false)
        #expect(await daemon.stop() == 0)
    }
}
