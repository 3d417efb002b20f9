import Glibc
import JobCore
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

    @Test("How often it was begun to read a file is known to whoever comes next")
    func attempts() throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        try directory.write(Array("https://example.org/1.jpg\n".utf8), to: "list.txt")
        func look() throws -> (desk: FolderDesk, claim: Claim?) {
            let desk = try FolderDesk(directory.path)
            return (desk, try desk.look().claims.first)
        }
        let desk = try FolderDesk(directory.path)
        let sighting = try #require(try desk.look().files.first)
        let taken = try #require(try desk.take(sighting, at: Timestamp(microseconds: 5)))
        for earlier in [0, 1, 2, 2] {
            let (desk, claim) = try look()
            #expect(claim == taken)
            #expect(try desk.begin(taken, atMost: 2) == earlier)
        }
        // The second attempt had an end.
        try look().desk.end(taken, earlier: 1)
        #expect(try look().desk.begin(taken, atMost: 2) == 1)
        try desk.refuse(taken, because: "it is so")
        #expect(try look().claim == nil)
        #expect(access(directory.path(taken.folder.text), F_OK) != 0)
        #expect(access(directory.path("failed/list.txt"), F_OK) == 0)
    }
}
