import Foundation
import TestSupport
import Testing

/// In what order the daemon makes things durable, as the kernel sees it.
struct SystemCallTests {
    /// True if a process may be traced here at all.
    private static let isPossible: Bool = {
        guard let strace = SystemCalls.executable else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: strace)
        process.arguments = ["-o", "/dev/null", "/bin/true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(
        """
        The partial is synced, then its name is committed, then it is renamed, then the directory is \
        synced, then that is committed
        """,
        .enabled(if: isPossible, "strace isn't installed, or may not trace")
    )
    func order() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 300_000))
        let installation = try Installation()
        let trace = installation.directory.path("trace")
        // With -D the daemon is our child, and strace its.
        let arguments =
            [
                "-D", "-f", "-y", "-s", "0", "-o", trace,
                "-e", "trace=fsync,fdatasync,pwrite64,renameat2", Program.directory + "/facefetchd",
            ] + installation.flags
        let daemon = try Program(
            try #require(SystemCalls.executable),
            arguments,
            environment: ["FACEFETCH_DETECTION_WHEN": "held"]
        )
        #expect(await daemon.errorLine(containing: "ready:") != nil)
        let events = try installation.follow()
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        #expect(await events.outputLine(containing: "stored \"a.jpg\" at ") != nil)
        events.signal(SIGKILL)
        #expect(await daemon.stop() == 0)

        let calls = SystemCalls(text: try await Self.whole(trace, of: daemon.id))
        let (partial, documents, log) = ("/partial/1.part>", "/documents>", "facefetch.sqlite-wal>")
        let written = try #require(
            calls.calls.last { $0.name == "pwrite64" && $0.arguments.contains(partial) }
        )
        let sync = try #require(calls.first("fsync", "fdatasync", after: written.end, with: partial))
        let reserve = try #require(calls.first("pwrite64", after: sync.end, with: log))
        let reserved = try #require(calls.first("fsync", "fdatasync", after: reserve.end, with: log))
        let rename = try #require(calls.first("renameat2", with: "1.part", "a.jpg", "RENAME_NOREPLACE"))
        #expect(rename.begin > reserved.end)
        let directory = try #require(calls.first("fsync", "fdatasync", after: rename.end, with: documents))
        let tell = try #require(calls.first("pwrite64", after: directory.end, with: log))
        #expect(calls.first("fsync", "fdatasync", after: tell.end, with: log) != nil)
        let between = calls.first("pwrite64", after: rename.end, with: log)
        #expect(between?.begin == tell.begin, "nothing was committed between rename and sync")
    }

    @Test(
        """
        Bodies from memory are synced, then their moves are noted and synced, then they are renamed, then the \
        directory is synced, then that is committed
        """,
        .enabled(if: isPossible, "strace isn't installed, or may not trace")
    )
    func orderOfSmall() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for number in 1...20 { origin.serve("/\(number).jpg", OriginFile(seed: UInt64(number), count: 3000)) }
        let installation = try Installation()
        let trace = installation.directory.path("trace")
        let arguments =
            [
                "-D", "-f", "-y", "-s", "0", "-o", trace,
                "-e", "trace=fsync,fdatasync,write,pwrite64,renameat2", Program.directory + "/facefetchd",
            ] + installation.flags
        let daemon = try Program(
            try #require(SystemCalls.executable),
            arguments,
            environment: ["FACEFETCH_DETECTION_WHEN": "held"]
        )
        #expect(await daemon.errorLine(containing: "ready:") != nil)
        let events = try installation.follow()
        let urls = (1...20).map { origin.url("/\($0).jpg") }
        try installation.directory.write(Array(urls.joined(separator: "\n").utf8), to: "list.txt")
        _ = try await installation.facefetch("add", "--from", installation.directory.path("list.txt"))
        // Not only moved, but committed: a daemon that is stopped in between leaves that to its next start.
        for _ in 1...20 { #expect(await events.outputLine(containing: "stored \"") != nil) }
        events.signal(SIGKILL)
        #expect(await daemon.stop() == 0)

        let calls = SystemCalls(text: try await Self.whole(trace, of: daemon.id))
        let (journal, log) = ("/moves.", "facefetch.sqlite-wal>")
        for number in 1...20 {
            let (partial, name) = ("/partial/\(number).part>", "\"\(number).jpg\"")
            let written = try #require(
                calls.calls.last { $0.name == "write" && $0.arguments.contains(partial) }
            )
            let sync = try #require(calls.first("fsync", "fdatasync", after: written.end, with: partial))
            let rename = try #require(
                calls.calls.first {
                    $0.name == "renameat2" && $0.arguments.contains("\"\(number).part\"")
                        && $0.arguments.contains(name)
                }
            )
            let note = try #require(
                calls.calls.last {
                    $0.name == "fdatasync" && $0.arguments.contains(journal) && $0.end < rename.begin
                }
            )
            #expect(note.begin > sync.end, "\(number)")
            let directory = try #require(
                calls.first("fsync", "fdatasync", after: rename.end, with: "/documents>")
            )
            #expect(calls.first("pwrite64", after: directory.end, with: log) != nil)
        }
    }

    /// Returns what strace wrote, once it has seen the process's end.
    private static func whole(_ path: String, of process: Int32) async throws -> String {
        @Sendable func text() -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        let folder = (path as NSString).deletingLastPathComponent
        let hasEnded = await FolderWatch.until(in: folder) {
            // Numbers have blanks behind them up to five characters.
            text().split(separator: "\n").contains {
                $0.hasPrefix("\(process) ") && $0.contains(" +++ exited with ")
            }
        }
        try #require(hasEnded)
        return text()
    }
}
