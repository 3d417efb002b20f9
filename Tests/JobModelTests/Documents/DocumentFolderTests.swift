import JobModel
import Testing

struct DocumentFolderTests {
    @Test(
        "A folder that is asked for is taken as it is",
        arguments: ["a", "a/b", "holiday/2026 summer", "ü/-dash", "1/2/3/4/5/6/7/8"]
    )
    func taken(path: String) throws {
        let folder = try DocumentFolder(path)
        #expect(folder.path == path && !folder.isTop)
        #expect(folder.parts.joined(separator: "/") == path)
        #expect(folder.placing("x.jpg") == path + "/x.jpg")
        #expect(DocumentFolder(stored: path) == folder)
    }

    @Test("Folders that only look the same are two")
    func lookalikes() throws {
        let (one, other) = (try DocumentFolder("caf\u{E9}"), try DocumentFolder("cafe\u{301}"))
        #expect(one != other && Set([one, other]).count == 2)
        #expect(try one == DocumentFolder("caf\u{E9}"))
    }

    @Test("A stored path is divided at each slash, also where a mark joins it to what follows")
    func joinedSlashes() throws {
        let folder = try #require(DocumentFolder(stored: "a/\u{301}b/c"))
        #expect(folder.parts == ["a", "\u{301}b", "c"] && folder.parent.parent.path == "a")
        #expect(DocumentFolder(stored: "a/../\u{301}b") == nil)
        #expect(throws: DocumentFolder.Refusal.unsafePart) { try DocumentFolder("a/\u{301}b") }
        #expect(try DocumentFolder(sanitizing: "a/\u{301}b").path == "a/_\u{301}b")
    }

    @Test("A folder knows the one that it lies in")
    func parents() throws {
        let folder = try DocumentFolder("a/b/c")
        #expect(folder.parent.path == "a/b" && folder.parent.parent.path == "a")
        #expect(folder.parent.parent.parent == DocumentFolder())
        #expect(DocumentFolder().isTop && DocumentFolder().parent.isTop && DocumentFolder().parts.isEmpty)
        #expect(DocumentFolder().placing("x.jpg") == "x.jpg")
    }

    private static let refused: [(path: String, refusal: DocumentFolder.Refusal)] = [
        ("/a", .absolute), ("/", .absolute), ("", .unsafePart), ("a/", .unsafePart), ("a//b", .unsafePart),
        (".", .unsafePart), ("..", .unsafePart), ("a/../b", .unsafePart), ("a/./b", .unsafePart),
        (".facefetch-partial", .unsafePart), ("a/.hidden", .unsafePart), ("a\u{0}", .unsafePart),
        ("a\nb", .unsafePart), ("a/ b", .unsafePart), ("a /b", .unsafePart), ("a\u{202E}b", .unsafePart),
        (String(repeating: "x", count: 256), .unsafePart), ("1/2/3/4/5/6/7/8/9", .tooDeep),
        ((1...6).map { _ in String(repeating: "x", count: 200) }.joined(separator: "/"), .tooLong),
    ]

    @Test(
        "A path that leads elsewhere, is too deep or too long, or hides something is refused",
        arguments: refused
    )
    func refusals(path: String, refusal: DocumentFolder.Refusal) {
        #expect(throws: refusal) { try DocumentFolder(path) }
        #expect(!refusal.message.isEmpty)
    }

    @Test(
        "A folder from a stranger's data is made safe, as a name is",
        arguments: [
            ("a/b", "a/b"), ("a//b/", "a/b"), ("a/-b", "a/_b"), (".git/x", "git/x"), (" a /b\n", "a/b_"),
            (".facefetch-partial", "facefetch-partial"),
        ]
    )
    func sanitized(path: String, folder: String) throws {
        #expect(try DocumentFolder(sanitizing: path).path == folder)
    }

    @Test(
        "A stranger's path that leads elsewhere is refused",
        arguments: ["..", "a/../..", "/etc", "./a", "", "//"]
    )
    func strangers(path: String) {
        #expect(throws: DocumentFolder.Refusal.self) { try DocumentFolder(sanitizing: path) }
    }

    @Test("A stored path is read unless it leads out", arguments: ["..", "a/..", "/a", "a//b", "a/", "a/."])
    func stored(path: String) {
        #expect(DocumentFolder(stored: path) == nil)
        #expect(DocumentFolder(stored: "") == DocumentFolder())
        // Later versions may have other rules for names.
        #expect(DocumentFolder(stored: ".a/ b")?.path == ".a/ b")
    }

    @Test("A reservation's path is its folder and its name, and leads nowhere else")
    func reservations() throws {
        let sealed = SealedPartial(inode: 1, length: 2, sha256: nil)
        for path in ["x.jpg", "a/x.jpg", "a/b c/ü (2).jpg"] {
            let reservation = try #require(Job.Reservation(path: path, sealed: sealed))
            #expect(reservation.path == path)
            #expect(!reservation.name.contains("/"))
        }
        #expect(Job.Reservation(path: "a/b/x", sealed: sealed)?.folder == (try DocumentFolder("a/b")))
        for path in ["", "..", "../x", "a/", "/x", "a/../x"] {
            #expect(Job.Reservation(path: path, sealed: sealed) == nil)
        }
    }
}
