import Foundation
import TestTraits
import Testing

/// Tests of what page readers can't do, tried from inside.
@Suite(.ownThread) struct SandboxTests {
    /// True if this kernel has Landlock; without it some attempts are rightly allowed.
    private static let hasLandlock =
        (try? String(contentsOfFile: "/sys/kernel/security/lsm", encoding: .utf8))?.contains("landlock")
        ?? true

    /// Attempts in either process, and their refusals.
    private static let refusals = [
        "make a file (Operation not permitted)", "write to a file inside (Operation not permitted)",
        "map memory to run (Operation not permitted)", "call openat2 (Function not implemented)",
        "take 64 GiB of memory (Cannot allocate memory)", "set a resource limit (Operation not permitted)",
        "leave a core dump (Operation not permitted)", "outlive an abort (Operation not permitted)",
    ]

    @Test("From inside a page reader and from inside the lister, nothing works", .enabled(if: hasLandlock))
    func everything() throws {
        let folder = try PageFolder()
        let page = try folder.file("page", Array("page".utf8))
        let check = try ListerRun(["--check-sandbox", page, "--require-landlock", "--time-limit", "5"])
        #expect(check.status == 0, "\(check.lines) \(check.errors)")
        #expect(check.errors.isEmpty)
        let lines = check.lines
        let lister = lines.filter { !$0.hasPrefix("reader ") }
        #expect(lister.count > 20 && lister.allSatisfy { $0.hasPrefix("refused: ") })
        for attempt in Self.refusals + [
            "read a file outside (Permission denied)", "open a TCP socket (Operation not permitted)",
            "run a program (Operation not permitted)", "make a process (Operation not permitted)",
        ] {
            #expect(lister.contains("refused: \(attempt)"), "\(attempt)")
        }
        for attempt in Self.refusals + [
            "read a file outside (Operation not permitted)", "read a request (No data available)",
            "have another descriptor (Bad file descriptor)",
            "open the page to write (Operation not permitted)",
        ] {
            #expect(lines.contains { $0.hasPrefix("reader refused: \(attempt)") }, "\(attempt)")
        }
        for attempt in ["open a TCP socket", "run a program", "make a process", "be traced"] {
            let line = lines.first { $0.hasPrefix("reader lost: \(attempt) (") }
            #expect(line?.contains("a system call that no reader makes") == true, "\(attempt)")
        }
        let late = "reader lost: sleep without end (reading the page took longer than 5.0 seconds)"
        #expect(lines.contains(late))
        #expect(try String(contentsOfFile: page, encoding: .utf8) == "page")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["page"])
    }

    @Test("A check takes no page, and says what it can't read")
    func usage() throws {
        #expect(try ListerRun(["--check-sandbox", "/nowhere", "page"]).status == 2)
        let missing = try ListerRun(["--check-sandbox", "/nowhere/page"])
        #expect(missing.status == 1 && missing.errors.contains("/nowhere/page can't be read"))
    }
}
