import ControlAPI
import Foundation
import TestSupport
import Testing

/// Lists and recipes in a folder that the real daemon watches.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FolderTests {
    private let installation: Installation
    private let folder: String

    init() throws {
        installation = try Installation()
        folder = try installation.directory.directory("lists")
    }

    private func start(environment: [String: String] = [:]) async throws -> Program {
        // What is added is what counts here, and nothing of it is fetched.
        let given = ["FACEFETCH_WATCH_DIRECTORY": folder, "FACEFETCH_TRANSFER_TIMETABLE": "00:00 pause"]
        return try await installation.startDaemon(environment: given.merging(environment) { $1 })
    }

    private func put(_ text: String, as name: String) throws {
        try installation.directory.write(Array(text.utf8), to: "lists/" + name)
    }

    private static func added(in folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { $0.hasSuffix(".added") }
    }

    @Test("A list becomes a batch, a recipe a source, and what is neither is put aside")
    func files() async throws {
        let daemon = try await start()
        try put("https://example.org/1.jpg\nhttps://example.org/2.jpg\n", as: "a.txt")
        try put(
            "url: http://127.0.0.1:1/list\nkind: lines\nevery: never\n",
            as: "birds.yaml"
        )
        try put("url: http://127.0.0.1:1/list\nkind: tree\n", as: "trees.yaml")
        try put("url,title\nhttps://example.org/3.jpg,x\nnonsense,y\n", as: "b.csv")
        let folder = folder
        let isDone = await FolderWatch.until(in: folder) {
            let failed = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/failed")) ?? []
            return Self.added(in: folder) == 2 && failed.count == 4
        }
        #expect(isDone)
        let urls = try await installation.allJobs().map(\.url)
        #expect(urls == ["https://example.org/1.jpg", "https://example.org/2.jpg"])
        #expect(try await installation.source("birds").url == "http://127.0.0.1:1/list")
        let reasons = try ["trees.yaml", "b.csv"].map {
            String(decoding: try installation.directory.read("lists/failed/\($0).reason.txt"), as: UTF8.self)
        }
        #expect(reasons[0].contains("kind") && reasons[1].contains("\"nonsense\""))
        #expect(await daemon.errorLine(containing: "/a.txt: added 2 files as batch b") != nil)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "A folder in which files have another meaning is not watched",
        arguments: ["documents", "state/lists"]
    )
    func otherFolders(name: String) async throws {
        let wrong = try installation.directory.directory(name)
        let checked = try await Program.run(
            "facefetchd",
            [
                "check-config", "--state-dir", installation.directory.path("state"), "--documents-dir",
                installation.documents,
            ],
            environment: ["FACEFETCH_WATCH_DIRECTORY": wrong]
        )
        #expect(checked.status == 78)
        #expect(checked.errors.hasPrefix("watch.directory: \(wrong) is in "))
    }

    @Test("A folder that isn't there, or is none, is told of by check-config, which is content all the same")
    func missingFolder() async throws {
        func check(_ folder: String) async throws -> Program.Result {
            try await Program.run(
                "facefetchd",
                ["check-config"] + installation.flags,
                environment: ["FACEFETCH_WATCH_DIRECTORY": folder]
            )
        }
        let (missing, file) = (installation.directory.path("missing"), installation.directory.path("file"))
        try installation.directory.write([], to: "file")
        for (folder, words) in [
            (missing, "there is no folder \(missing)"), (file, "\(file) is not a folder"),
        ] {
            let checked = try await check(folder)
            #expect(checked.status == 0)
            #expect(checked.errors.contains("warning: watch.directory: \(words)"), "\(checked.errors)")
        }
        let there = try await check(try installation.directory.directory("there"))
        #expect(there.status == 0 && !there.errors.contains("watch.directory"))
    }

    /// WATCH_KILLS and WATCH_LISTS set how often, and how many lists there are.
    @Test("However often the daemon is killed while it takes lists, each is counted once")
    func survivesKills() async throws {
        func setting(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
        let (kills, lists) = (setting("WATCH_KILLS") ?? 3, setting("WATCH_LISTS") ?? 24)
        for list in 1...lists {
            try put(
                "https://example.org/\(list)/a.jpg\nhttps://example.org/\(list)/b.jpg\n",
                as: "\(list).txt"
            )
        }
        let folder = folder
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<kills {
            let left = lists - Self.added(in: folder)
            guard left > 0 else { break }
            let daemon = try await start()
            let wanted = lists - left + Int.random(in: 1...max(1, 2 * lists / kills / 3), using: &generator)
            let isThere = await FolderWatch.until(in: folder) { Self.added(in: folder) >= min(wanted, lists) }
            #expect(isThere)
            try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &generator)))
            daemon.signal(SIGKILL)
            _ = await daemon.status
        }
        let daemon = try await start()
        let isDone = await FolderWatch.until(in: folder) { Self.added(in: folder) == lists }
        #expect(isDone)
        let urls = try await installation.allJobs().map(\.url)
        #expect(urls.count == 2 * lists && Set(urls).count == 2 * lists)
        #expect(await daemon.stop() == 0)
    }
}
