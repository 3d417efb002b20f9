import Foundation
import Glibc
import TestSupport

/// A disk that fails on command under a real daemon: `Tests/FaultyDisk`, preloaded.
struct FaultyDisk {
    /// The call that fails.
    enum Call: String {
        /// pwrite.
        case write
        /// fsync and fdatasync.
        case sync
        /// renameat2, into a directory.
        case rename
        /// linkat, into a directory.
        case link
        /// clock_gettime, of the wall clock.
        case clock
    }

    private let rules: String

    /// The reason why the tests that need it are skipped, if they are.
    static let comment: String = "libFaultyDisk.so is not beside the test bundle"

    private static let library = Program.directory + "/libFaultyDisk.so"
    static var isThere: Bool { FileManager.default.fileExists(atPath: library) }

    init(_ installation: Installation) { rules = installation.directory.path("faults") }

    /// The environment that a daemon has to be started with.
    var environment: [String: String] {
        ["LD_PRELOAD": Self.library, "FAULTY_DISK_RULES": rules, "FACEFETCH_DETECTION_WHEN": "held"]
    }

    /// From now on these calls fail for files whose paths have this in them.
    func fail(_ call: Call, with number: Int32, in path: String) throws {
        try fail([(call, number, path)])
    }

    /// From now on all of these calls fail for files whose paths have the text in them.
    func fail(_ faults: [(call: Call, number: Int32, path: String)]) throws {
        // Never seen half written.
        let lines = faults.map { "\($0.call.rawValue) \($0.number) \($0.path)\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: rules), options: .atomic)
    }

    /// The next daemon is killed once it has made so many writes to files whose paths have this in them.
    func kill(afterWrites count: Int, in path: String) throws {
        try fail(.write, with: -Int32(count), in: path)
    }

    /// From now on the wall clock is off by so many seconds.
    func setClock(by seconds: Int32) throws { try fail(.clock, with: seconds, in: "-") }

    /// From now on all is well.
    func heal() { unlink(rules) }
}
