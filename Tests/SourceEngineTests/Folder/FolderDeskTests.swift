import Glibc
import JobModel
import TestSupport
import Testing

@testable import SourceEngine

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
        let taken = try #require(try desk.claim(sighting, at: Timestamp(microseconds: 5)))
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

    /// A list that was taken, and a place for its copy.
    private func taken(_ directory: TemporaryDirectory, bytes: Int) throws -> (FolderDesk, Claim) {
        let path = try directory.write([], to: "list.txt")
        try #require(truncate(path, off_t(bytes)) == 0)
        let desk = try FolderDesk(directory.path)
        let sighting = try #require(try desk.look().files.first)
        return (desk, try #require(try desk.claim(sighting, at: Timestamp(microseconds: 1))))
    }

    private func free(_ path: String) -> Int64 {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? Int64(status.f_bavail) * Int64(status.f_frsize) : 0
    }

    @Test("A copy is not begun that would take what is kept free, by the length of the list, sparse or not")
    func reserve() throws {
        let directory = try TemporaryDirectory()
        let size = 64 << 20
        let (desk, claim) = try taken(directory, bytes: size)
        let copy = directory.path("copy")
        // Half of the list would fit.
        let reserve = free(directory.path) - Int64(size / 2)
        let room = CopyRoom(reserve: { reserve })
        #expect(throws: FileCopy.Failure.noRoom(Int64(size), reserve: reserve)) {
            _ = try desk.copy(claim, to: copy, limit: 1 << 30, room: room, isOver: { false })
        }
        var status = stat()
        #expect(stat(copy, &status) != 0 || status.st_size == 0)
        // It is another thing where waiting is no use.
        #expect {
            _ = try desk.copy(
                claim,
                to: copy,
                limit: 1 << 30,
                room: CopyRoom(reserve: { .max / 2 }),
                isOver: { false }
            )
        } throws: { error in
            if case FileCopy.Failure.neverFits = error { true } else { false }
        }
        #expect(throws: FileCopy.Failure.tooLarge(Int64(size))) {
            _ = try desk.copy(claim, to: copy, limit: 1 << 20, room: CopyRoom(), isOver: { false })
        }
    }

    @Test("A copy isn't written while the store has only its reserve, and is once that is over")
    func held() throws {
        let directory = try TemporaryDirectory()
        let (desk, claim) = try taken(directory, bytes: 1 << 20)
        let copy = directory.path("copy")
        #expect(throws: FileCopy.Failure.noRoom(1 << 20, reserve: 0)) {
            let room = CopyRoom(mayWrite: { _ in false })
            _ = try desk.copy(claim, to: copy, limit: 1 << 30, room: room, isOver: { false })
        }
        _ = try desk.copy(claim, to: copy, limit: 1 << 30, room: CopyRoom(), isOver: { false })
        #expect(try directory.read("copy").count == 1 << 20)
    }
}
