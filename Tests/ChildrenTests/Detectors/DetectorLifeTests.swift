import Foundation
import TestTraits
import Testing

@testable import Children

@Suite(.timeLimit(.minutes(1)), .ownThread) struct DetectorLifeTests {
    @Test(
        "A detector dies with the process that started it, even by SIGKILL, and even when its input stays open"
    )
    func orphan() async throws {
        let detector = try ScriptedDetector("be_honest")
        // A daemon that starts a detector, tells its process, and waits. The
        // pipe is held open by a third process, so that its end is no hint.
        let script = """
            mkfifo '\(detector.folder)/in'
            sleep 1000 > '\(detector.folder)/in' & echo $! > '\(detector.folder)/holder'
            '\(detector.executable)' < '\(detector.folder)/in' > '\(detector.folder)/out' &
            wait
            """
        let daemon = Process()
        daemon.executableURL = URL(filePath: "/bin/sh")
        daemon.arguments = ["-c", script]
        try daemon.run()
        defer {
            let holder = try? String(contentsOfFile: detector.folder + "/holder", encoding: .utf8)
            if let holder = holder.flatMap({ Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) {
                kill(holder, SIGKILL)
            }
            kill(daemon.processIdentifier, SIGKILL)
            daemon.waitUntilExit()
        }
        // The greeting says that it is ready.
        try #require(await detector.makes("out"))
        let pid = try #require(detector.pid)
        #expect(kill(pid, 0) == 0)
        kill(daemon.processIdentifier, SIGKILL)
        // Whoever inherits it reaps it: nobody tells us, who are not its parent, when it has gone.
        try await until { kill(pid, 0) == -1 || Self.isDead(pid) }
    }

    /// Returns whether a process has ended and only waits to be reaped.
    private static func isDead(_ pid: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return status?.contains(") Z ") ?? true
    }

    private func until(_ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition() {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
