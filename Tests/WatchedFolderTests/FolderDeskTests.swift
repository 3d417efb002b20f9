import Glibc
import TestSupport
import Testing

@testable import WatchedFolder

@Suite("What is seen in the watched folder")
struct FolderDeskTests {
    @Test("However much lies there that is left alone, a list is seen")
    func crowded() throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        for number in 0..<20_001 {
            try #require(symlink("nowhere", directory.path("\(number).txt")) == 0)
        }
        // Folders like the daemon's own, which others can make.
        try #require(mkdir(directory.path(".taken-1-1"), 0o700) == 0)
        if geteuid() == 0 { try #require(chown(directory.path(".taken-1-1"), 1, 1) == 0) }
        try directory.write(Array("https://example.org/1.jpg\n".utf8), to: "list.txt")
        let (files, claims) = try FolderDesk(directory.path).look()
        #expect(files.map(\.name) == [EntryName("list.txt")])
        #expect(claims.isEmpty)
    }
}
