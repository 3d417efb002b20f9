import Glibc
import TestSupport
import Testing

/// A disk with room, on which no file can be made.
@Suite(
    .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment)),
    .timeLimit(.minutes(2))
)
struct NoInodesTests {
    @Test("A start without inodes says that, and not that the disk is full, and goes on once there are some")
    func start() async throws {
        let disk = try MemoryDisk(bytes: 192 << 20, inodes: 200)
        let installation = try Installation(in: disk.path)
        var fillers: [String] = []
        while true {
            let path = disk.path + "/\(fillers.count)"
            let file = creat(path, 0o600)
            guard file >= 0 else { break }
            close(file)
            fillers.append(path)
        }
        #expect(fillers.count > 100)
        let daemon = try Program(
            "facefetchd",
            installation.flags,
            environment: [
                "CACHE_DIRECTORY": installation.cache, "XDG_DATA_HOME": installation.directory.path("data"),
                "FACEFETCH_DISK_RESERVE": "0",
            ]
        )
        let said = await daemon.errorLine(containing: "the daemon goes on by itself once")
        #expect(
            said?.contains("no inodes are left on the disk for the state directory") == true,
            "\(said ?? "")"
        )
        let status = try await installation.facefetch("status").output
        #expect(status.contains("no inodes are left") && !status.contains("KiB are free"), "\(status)")
        let added = try await installation.facefetch("add", "http://127.0.0.1:9/a.jpg")
        #expect(added.errors.contains("no inodes are left") && !added.errors.contains("is full"))
        for path in fillers { unlink(path) }
        #expect(await daemon.errorLine(containing: "ready:") != nil)
        #expect(await daemon.stop() == 0)
    }
}
