import Foundation
import Glibc
import JobEngine
import JobModel
import Logging
import SourceCore
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import Children
@testable import SourceEngine

/// The real pool, as the daemon has it.
private struct Reader: ReaderPort {
    let pool: ListerPool

    func recipe(
        _ request: RecipeRequest,
        for asker: ListerAsker
    ) async -> Result<RecipeAnswer, ListerFailure> { await pool.recipe(request, for: asker) }
    func problems(
        of program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<[ListerGreeting.Problem], ListerFailure> {
        await pool.problems(of: program, for: asker)
    }
    func read(
        _ request: ListerRequest,
        by program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<ListerAnswer, ListerFailure> { await pool.read(request, by: program, for: asker) }
}

/// A real folder, read by the real lister, and an engine that takes notes.
@Suite("The watched folder", .ownThread, .timeLimit(.minutes(2)))
final class WatchedFolderTests {
    private let place: TemporaryDirectory
    private let folder: String
    private let engine = NotedEngine()
    private let listers: ListerPool
    private let lines = NotedLines()

    init() throws {
        place = try TemporaryDirectory()
        folder = try place.directory("lists")
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let lister = URL(filePath: tests).deletingLastPathComponent().appending(path: "facefetch-lister").path
        listers = ListerPool(
            configuration: ListerPoolConfiguration(executable: lister, pages: try place.directory("pages")),
            logger: Logger(label: "test")
        )
    }

    private func watch(
        sources: NoSources = NoSources(),
        _ change: (inout WatchedFolderConfiguration) -> Void = { _ in }
    ) -> WatchedFolder {
        var configuration = WatchedFolderConfiguration(
            pagesDirectory: place.path("pages"),
            patience: 0.05,
            interval: 0.2
        )
        change(&configuration)
        let watched = WatchedFolder(
            control: engine,
            sources: sources,
            reader: Reader(pool: listers),
            configuration: configuration,
            now: {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return Moment(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
            },
            logger: lines.logger
        )
        watched.configure(directory: folder)
        return watched
    }

    private func stop(_ watched: WatchedFolder) async {
        await watched.stop()
        await listers.stop()
    }

    /// Puts a file into the folder, complete at once.
    private func put(_ text: String, as name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: place.path("draft")))
        #expect(rename(place.path("draft"), folder + "/" + name) == 0)
    }

    /// Waits until there is something of this name.
    private func appears(_ name: String) async -> Bool {
        let path = folder + "/" + name
        return await FolderWatch.until(in: folder) { access(path, F_OK) == 0 }
    }

    /// Waits until so many jobs were added.
    private func adds(_ count: Int) async -> Bool {
        let engine = engine
        return await FolderWatch.until(in: folder) { engine.urls.count == count }
    }

    /// Waits until nothing is taken any more.
    private func settles() async -> Bool {
        let folder = folder
        return await FolderWatch.until(in: folder) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return !names.contains { $0.hasPrefix(".taken-") }
        }
    }

    private func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: folder + "/" + name) ?? Data(), as: UTF8.self)
    }

    @Test(
        "A list that goes on growing after it was added is taken up again, and nothing of it is added twice"
    )
    func growing() async throws {
        let start = ["https://h/1", "https://h/2", "https://h/th"]
        try put(start.joined(separator: "\n"), as: "slow.txt")
        let watched = watch()
        #expect(await adds(3))
        for (text, count) in [("ree\nhttps://h/4\n", 5), ("https://h/5\n", 6)] {
            #expect(await appears("slow.txt.added"))
            // By the descriptor that it has had from the beginning, it would be the same file.
            let file = open(folder + "/slow.txt.added", O_WRONLY | O_APPEND | O_CLOEXEC)
            #expect(write(file, text, text.utf8.count) == text.utf8.count && close(file) == 0)
            #expect(await adds(count))
        }
        #expect(await settles())
        #expect(engine.urls == start + ["https://h/three", "https://h/4", "https://h/5"])
        #expect(text("slow.txt.added").hasSuffix("https://h/three\nhttps://h/4\nhttps://h/5\n"))
        await stop(watched)
    }

    @Test(
        "A sparse list that is larger than any may be is refused at once, once, and nothing of it is copied"
    )
    func sparse() async throws {
        let path = place.path("draft")
        try Data().write(to: URL(filePath: path))
        #expect(truncate(path, 3 << 30) == 0 && rename(path, folder + "/huge.txt") == 0)
        let watched = watch()
        #expect(await appears("failed/huge.txt.reason.txt"))
        #expect(await appears("failed/huge.txt"))
        let reason = try String(contentsOfFile: folder + "/failed/huge.txt.reason.txt", encoding: .utf8)
        #expect(reason.contains("\(3 << 30) bytes") && reason.contains("\(1 << 30)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("pages")).isEmpty)
        await stop(watched)
    }

    @Test("Lists of every kind are added as they are, and get their last names")
    func kinds() async throws {
        try put("# mine\nhttps://example.org/1.jpg\n\nhttps://example.org/2.jpg  # second\n", as: "a.txt")
        try put("URL,title\nhttps://example.org/3.jpg,x\n", as: "b.csv")
        try put("{\"url\":\"https://example.org/4.jpg\",\"name\":\"four.jpg\"}\n", as: "c.jsonl")
        let watched = watch()
        let packed = try Compressed.gzip(Array("https://example.org/5.jpg\n".utf8))
        try Data(packed).write(to: URL(filePath: place.path("draft")))
        #expect(rename(place.path("draft"), folder + "/d.txt.gz") == 0)
        for name in ["a.txt", "b.csv", "c.jsonl", "d.txt.gz"] { #expect(await appears(name + ".added")) }
        await stop(watched)
        let names = engine.urls.compactMap { URL(string: $0)?.lastPathComponent }
        #expect(names == ["1.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg"])
        #expect(engine.submissions.allSatisfy { $0.submittedBy == geteuid() })
        #expect(text("a.txt.added").hasPrefix("# mine"))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(left == ["a.txt.added", "b.csv.added", "c.jsonl.added", "d.txt.gz.added"])
        let copies = try FileManager.default.contentsOfDirectory(atPath: place.path("pages"))
        #expect(copies.isEmpty)
    }

    @Test("A list with a bad row is added not at all, and lies in failed with the reason beside it")
    func bad() async throws {
        try put("https://example.org/1.jpg\nnonsense\nftp://example.org/2.jpg\n", as: "bad\n<b>.txt")
        try put("{}\n[]\n", as: "bad.yaml")
        let watched = watch { $0.largestBatch = 1 }
        #expect(await appears("failed/bad.yaml"))
        await stop(watched)
        #expect(engine.submissions.isEmpty)
        #expect(text("failed/bad\n<b>.txt").hasPrefix("https://"))
        let reason = text("failed/bad\n<b>.txt.reason.txt")
        #expect(
            reason.contains("nonsense") && reason.contains("ftp://")
                && reason.contains("nothing of it was added")
        )
        #expect(text("failed/bad.yaml.reason.txt") == "there is no source here\n")
        #expect(lines.all.allSatisfy { !$0.contains("\n") })
    }

    @Test("What is no list of anybody's is left alone, and odd names are no harm")
    func hostile() async throws {
        #expect(mkfifo(folder + "/fifo.txt", 0o666) == 0)
        #expect(mkdir(folder + "/folder.txt", 0o755) == 0)
        #expect(symlink("/etc/passwd", folder + "/link.txt") == 0)
        for name in [".hidden.txt", "half.txt.part", "half.tmp", "old.txt~"] {
            try put("https://example.org/no\n", as: name)
        }
        try put("", as: "empty.txt")
        try put("https://example.org/long\n", as: String(repeating: "x", count: 255))
        try put("https://example.org/odd\n", as: "odd")
        let odd = Array(folder.utf8CString.dropLast()) + [47, -1, 1, 10, 0]
        #expect(rename(folder + "/odd", odd) == 0)
        let huge = folder + "/huge.txt"
        let file = open(huge, O_WRONLY | O_CREAT, 0o644)
        #expect(ftruncate(file, 10 << 30) == 0)
        close(file)
        let watched = watch()
        #expect(await adds(2))
        #expect(await appears("failed/huge.txt"))
        #expect(await appears(String(repeating: "x", count: 249) + ".added"))
        await stop(watched)
        #expect(Set(engine.urls) == ["https://example.org/long", "https://example.org/odd"])
        #expect(text("failed/huge.txt.reason.txt").contains("it has 10737418240 bytes"))
        for name in [
            "fifo.txt", "folder.txt", "link.txt", ".hidden.txt", "half.txt.part", "half.tmp", "old.txt~",
            "empty.txt",
        ] {
            #expect(FileManager.default.fileExists(atPath: folder + "/" + name))
        }
    }

    @Test("A daemon that ends between any two steps counts a list once", arguments: [true, false])
    func ends(isCommitted: Bool) async throws {
        try put((1...25).map { "https://example.org/\($0).jpg\n" }.joined(), as: "a.txt")
        // Each of three batches is where it ends once.
        for batch in 1...3 {
            engine.end(after: batch, isCommitted: isCommitted)
            let watched = watch { $0.largestBatch = 10 }
            await engine.untilEnded()
            await watched.stop()
            #expect(access(folder + "/a.txt", F_OK) != 0)
        }
        engine.goOn()
        let watched = watch { $0.largestBatch = 10 }
        #expect(await appears("a.txt.added"))
        await stop(watched)
        #expect(engine.urls == (1...25).map { "https://example.org/\($0).jpg" })
    }

    @Test("What has ended the daemon twice is read no more, and what hasn't is")
    func endsDaemon() async throws {
        for (name, ends) in [("bad.yaml", 2), ("worse.txt", 3), ("good.txt", 1)] {
            let hidden = "\(folder)/.taken-\(name)"
            #expect(mkdir(hidden, 0o700) == 0)
            try Data("https://example.org/\(name)\n".utf8).write(to: URL(filePath: "\(hidden)/\(name)"))
            for number in 1...ends {
                try Data().write(to: URL(filePath: "\(hidden)/.attempt-\(number)"))
            }
        }
        // Nothing but marks: the daemon has ended before it removed them.
        #expect(mkdir(folder + "/.taken-left", 0o700) == 0)
        try Data().write(to: URL(filePath: folder + "/.taken-left/.attempt-1"))
        let watched = watch()
        #expect(await appears("good.txt.added"))
        #expect(await appears("failed/bad.yaml"))
        #expect(await appears("failed/worse.txt"))
        #expect(await settles())
        await stop(watched)
        #expect(engine.urls == ["https://example.org/good.txt"])
        #expect(text("failed/bad.yaml.reason.txt").hasPrefix("the daemon has ended 2 times while it read"))
    }

    @Test("A recipe at which its reader fails is tried again before that counts as its fault")
    func recipeReaderFails() async throws {
        try put("name: a\n", as: "a.yaml")
        let failure = SourceFailure(.readerTimedOut, "reading the recipe took too long")
        let watched = watch(sources: NoSources(failure: failure))
        await lines.wait(for: "a.yaml waits: it can't be read: reading the recipe took too long")
        #expect(await appears("failed/a.yaml"))
        await stop(watched)
        #expect(text("failed/a.yaml.reason.txt") == "it can't be read: reading the recipe took too long\n")
    }

    @Test("A later list of the same name counts anew, and takes the place of the older one")
    func again() async throws {
        let watched = watch()
        try put("https://example.org/1.jpg\n", as: "a.txt")
        #expect(await adds(1))
        #expect(await appears("a.txt.added"))
        try put("https://example.org/1.jpg\nhttps://example.org/2.jpg\n", as: "a.txt")
        #expect(await adds(3))
        #expect(await settles())
        await stop(watched)
        #expect(text("a.txt.added").contains("2.jpg"))
    }

    @Test("What the engine has no room for waits, and is said once")
    func noRoom() async throws {
        engine.refuse(times: 3, with: .outOfSpace)
        try put("https://example.org/1.jpg\n", as: "a.txt")
        let watched = watch()
        #expect(await appears("a.txt.added"))
        await stop(watched)
        #expect(engine.urls.count == 1)
        #expect(lines.all.count { $0.contains("no room for it") } == 1)
    }

    @Test("A list of which no copy can be made waits, and one that can't get its last name is added once")
    func stuck() async throws {
        #expect(rmdir(place.path("pages")) == 0)
        try put("https://example.org/1.jpg\n", as: "a.txt")
        #expect(mkdir(folder + "/a.txt.added", 0o755) == 0)
        let watched = watch()
        await lines.wait(for: "a.txt waits: no copy of it can be written below paths.state")
        #expect(mkdir(place.path("pages"), 0o755) == 0)
        await lines.wait(for: "a.txt waits: its last name can't be given to it (Is a directory)")
        #expect(rmdir(folder + "/a.txt.added") == 0)
        #expect(await settles())
        await stop(watched)
        #expect(engine.urls == ["https://example.org/1.jpg"])
        #expect(lines.all.count { $0.contains("waits") } == 2)
    }

    @Test(
        "A file that the daemon's user can't read is put aside",
        .enabled(if: geteuid() != 0, "root reads every file")
    )
    func unreadable() async throws {
        try put("https://example.org/1.jpg\n", as: "a.txt")
        #expect(chmod(folder + "/a.txt", 0) == 0)
        let watched = watch()
        #expect(await appears("failed/a.txt"))
        await stop(watched)
        #expect(text("failed/a.txt.reason.txt").contains("can't read it"))
    }

    @Test(
        "A folder that can't be written waits, and is left as it is",
        .enabled(if: geteuid() != 0, "root writes everywhere")
    )
    func unwritable() async throws {
        try put("https://example.org/1.jpg\n", as: "a.txt")
        #expect(chmod(folder, 0o555) == 0)
        let watched = watch()
        await lines.wait(for: "can't be used (Permission denied)")
        #expect(chmod(folder, 0o755) == 0)
        #expect(await appears("a.txt.added"))
        await stop(watched)
        #expect(engine.urls.count == 1)
    }

    @Test("A folder that goes away and comes back is watched again, and both are said once")
    func comesBack() async throws {
        #expect(rename(folder, place.path("elsewhere")) == 0)
        let watched = watch()
        await lines.wait(for: "can't be used (No such file or directory)")
        #expect(mkdir(folder, 0o755) == 0)
        await lines.wait(for: "can be used again")
        try put("https://example.org/1.jpg\n", as: "a.txt")
        #expect(await appears("a.txt.added"))
        await stop(watched)
        #expect(lines.all.count { $0.contains("No such file") } == 1)
    }

    @Test("A list that grows is added whole")
    func grows() async throws {
        let watched = watch { $0.patience = 1 }
        let file = open(folder + "/a.txt", O_WRONLY | O_CREAT | O_APPEND, 0o644)
        for number in 1...40 {
            let line = "https://example.org/\(number).jpg\n"
            #expect(line.withCString { write(file, $0, strlen($0)) } == line.utf8.count)
            usleep(5000)
        }
        close(file)
        #expect(await appears("a.txt.added"))
        await stop(watched)
        #expect(engine.urls.count == 40)
    }
}
