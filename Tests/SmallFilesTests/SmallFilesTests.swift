import Glibc
import SmallFiles
import TestSupport
import Testing

@Suite("Small files")
struct SmallFilesTests {
    private let directory: TemporaryDirectory
    private var folder: String { directory.path }

    init() throws { directory = try TemporaryDirectory() }

    @Test("A file is read whole up to its limit, and not beyond")
    func limits() throws {
        let path = folder + "/a"
        try KeptFile.write([1, 2, 3], to: path)
        #expect(try WholeFile.bytes(path, atMost: 3) == [1, 2, 3])
        #expect(throws: FileFailure.tooLong(2)) { try WholeFile.bytes(path, atMost: 2) }
        #expect(throws: FileFailure.system(ENOENT)) { try WholeFile.bytes(folder + "/b", atMost: 2) }
    }

    @Test("What is no regular file isn't waited for, and a link is one only where it may be")
    func kinds() throws {
        #expect(mkfifo(folder + "/fifo", 0o600) == 0)
        #expect(throws: FileFailure.notRegular) {
            try WholeFile.bytes(folder + "/fifo", atMost: 1, .isRegular)
        }
        #expect(throws: FileFailure.notRegular) { try WholeFile.bytes(folder, atMost: 1, .isRegular) }
        try KeptFile.write([1], to: folder + "/a")
        #expect(symlink("a", folder + "/link") == 0)
        #expect(try WholeFile.bytes(folder + "/link", atMost: 1) == [1])
        #expect(throws: FileFailure.system(ELOOP)) {
            try WholeFile.bytes(folder + "/link", atMost: 1, .isNoLink)
        }
    }

    @Test("A folder has its names, but not itself, however often they are asked for; no other thing has")
    func folderNames() throws {
        #expect(mkdir(folder + "/in", 0o755) == 0)
        for name in [".hidden", "a", "b"] { try KeptFile.write([1], to: folder + "/in/" + name) }
        #expect(try WholeFolder.names(folder + "/in").sorted() == [".hidden", "a", "b"])
        let open = open(folder + "/in", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(open) }
        for _ in 1...2 { #expect(try WholeFolder.names(open).sorted() == [".hidden", "a", "b"]) }
        #expect(throws: FileFailure.system(ENOTDIR)) { try WholeFolder.names(folder + "/in/a") }
        #expect(throws: FileFailure.system(ENOENT)) { try WholeFolder.names(folder + "/none") }
    }

    @Test("No link is followed beneath a directory, to which one may lead itself")
    func beneath() throws {
        for name in ["top", "top/a", "top/a/b", "other", "other/b"] { mkdir(folder + "/" + name, 0o755) }
        for name in ["top/a/b/f", "other/b/f", "top/g"] { try KeptFile.write([1], to: folder + "/" + name) }
        #expect(symlink("top", folder + "/link") == 0)
        func number(_ path: InnerPath?) -> Int32 {
            do throws(FileFailure) {
                guard let path else { return -1 }
                close(try path.openFile().descriptor)
                return 0
            } catch { return error == .notRegular ? -2 : error.number }
        }
        let path = folder + "/link/a/b/f"
        let spellings = [
            InnerPath(path, folder: "a/b"), InnerPath(path), InnerPath(path, in: folder + "/link"),
        ]
        for inner in spellings {
            #expect(number(inner) == 0 && inner?.status() != nil && inner?.isCertainlyGone == false)
            #expect(inner?.name == "f" && inner?.folder == folder + "/link/a/b")
        }
        #expect(InnerPath(path, folder: "a/b").directory == folder + "/link")
        #expect(InnerPath(path, folder: "b/a").directory == folder + "/link/a/b")
        #expect(InnerPath("/a/b/f", folder: "a/b").directory == "/" && InnerPath("f").directory == ".")
        #expect(InnerPath(path, in: folder + "/lin") == nil && InnerPath(path, in: path) == nil)
        #expect(number(InnerPath(folder + "/top/../top/g", in: folder + "/top")) != 0)
        #expect(number(InnerPath(folder + "/link/a/../g", in: folder + "/link")) == ENOTDIR)
        #expect(number(InnerPath(folder + "/top/a", in: folder)) == -2)

        #expect(rename(folder + "/top/a", folder + "/away") == 0)
        #expect(number(spellings[0]) == ENOENT && spellings[0]?.isCertainlyGone == true)
        for target in ["../other", "../away"] {
            #expect(symlink(target, folder + "/top/a") == 0)
            #expect(number(spellings[0]) == ENOTDIR && spellings[0]?.status() == nil)
            #expect(spellings[0]?.isCertainlyGone == false)
            #expect(unlink(folder + "/top/a") == 0)
        }
        #expect(symlink("../other/b/f", folder + "/top/h") == 0)
        #expect(number(InnerPath(folder + "/top/h")) == ELOOP)
    }

    @Test("A kept file replaces the old one, for its owner alone, and leaves nothing beside it")
    func kept() throws {
        let path = folder + "/a"
        try KeptFile.write([UInt8](repeating: 7, count: 200_000), to: path)
        try KeptFile.write([8], to: path)
        #expect(try OpenedFile(path).mode & 0o777 == 0o600)
        #expect(try WholeFile.bytes(path, atMost: 10) == [8])
        #expect(access(path + ".new", F_OK) != 0)
        #expect(throws: FileFailure.self) { try KeptFile.write([1], to: folder + "/no/a") }
    }

    @Test("A file comes in pieces")
    func pieces() throws {
        let path = folder + "/a"
        try KeptFile.write([1, 2, 3, 4, 5], to: path)
        let file = try OpenedFile(path)
        var pieces = Pieces(file.descriptor, ofAtMost: 2)
        var lengths: [Int] = []
        while let piece = try pieces.next() { lengths.append(piece.count) }
        #expect(lengths == [2, 2, 1])
    }

    @Test("The folder of a path")
    func folders() {
        #expect(KeptFile.folder(of: "/a/b") == "/a" && KeptFile.folder(of: "/a") == "/")
        #expect(KeptFile.folder(of: "a") == ".")
    }
}
