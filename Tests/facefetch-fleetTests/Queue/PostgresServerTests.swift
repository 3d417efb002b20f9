import Foundation
import Glibc
import TestSupport
import TestTraits
import Testing

/// The server that the other tests have.
@Suite(
    "A PostgreSQL for tests",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread
)
struct PostgresServerTests {
    @Test("It leaves nothing behind when whoever had it is gone, and keeps nothing open that others close")
    func goes() async throws {
        // Nobody has told this pipe that programs are not to inherit it.
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        var server: PostgresServer? = try PostgresServer()
        close(ends[1])
        var end = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&end, 1, 20_000) == 1 && Int32(end.revents) & Int32(POLLHUP) != 0)
        let directory = try #require(server?.directory)
        let file = try String(contentsOfFile: directory + "/data/postmaster.pid", encoding: .utf8)
        let process = try #require(file.split(separator: "\n").first.flatMap { pid_t($0) })
        // Of one that has ended, and that nobody has asked for its status yet, it is empty.
        func isRunning() -> Bool {
            let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            return line?.contains(directory) == true
        }
        #expect(isRunning())
        server = nil
        #expect(access(directory, F_OK) == -1)
        try await waitWhile { isRunning() }
    }
}
