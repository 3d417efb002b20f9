import Glibc
import JobModel
import Testing

@testable import SourceEngine

@Suite("What becomes of a file in the watched folder")
struct DecisionTests {
    @Test(
        "Its name says what it is",
        arguments: [
            ("list.txt", .list("lines")), ("list", .list("lines")), ("a.csv", .list("csv")),
            ("A.CSV", .list("csv")), ("a.b.tsv.gz", .list("tsv")), ("x.jsonl", .list("jsonl")),
            ("urls.gz", .list("lines")), ("r.yaml", .recipe), ("r.YML", .recipe),
            ("txt.csv.bak", .list("lines")),
            (".list.txt", nil), ("list.txt.part", nil), ("list.TMP", nil), ("list.txt~", nil),
            (".taken-1-2", nil),
            ("list.txt.added", nil), ("a.crdownload", nil), ("a.swp", nil),
        ] as [(String, EntryKind?)]
    )
    func kinds(name: String, kind: EntryKind?) { #expect(EntryKind(EntryName(name)) == kind) }

    @Test("A name gets its ending, and is cut between characters where it would be too long")
    func names() {
        #expect(EntryName("a.txt").appending(".added") == EntryName("a.txt.added"))
        let long = EntryName(String(repeating: "é", count: 127) + "x")
        let added = long.appending(".added")
        #expect(added.bytes.count <= 255 && added.text.hasSuffix("é.added"))
        #expect(EntryName([UInt8](repeating: 0xFF, count: 255)).appending(".added").bytes.count <= 255)
        #expect(EntryName("a\n\u{202E}b").shown == "a\\n\\u{202e}b")
        // A dot behind it is one character with it.
        #expect(EntryKind(EntryName("a\u{600}.added")) == nil && EntryName("a\u{600}.txt").stem == "a\u{600}")
        #expect(EntryName("birds.2026.yaml").stem == "birds.2026" && EntryName(".x").stem == ".x")
    }

    @Test(
        "What can't be copied waits where that can change, and is put aside where it can't",
        arguments: [
            (.unreadable(FolderFailure(errno: EACCES)), true),
            (.unreadable(FolderFailure(errno: EMFILE)), false),
            (.irregular, true), (.tooLarge(9), true), (.changing, false),
            (.unwritable(FolderFailure(errno: ENOSPC)), false),
            (.unwritable(FolderFailure(errno: EROFS)), false),
        ] as [(FileCopy.Failure, Bool)]
    )
    func copies(failure: FileCopy.Failure, isRefused: Bool) {
        switch Outcome(failure, of: .list("lines"), limit: 8) {
        case .refused: #expect(isRefused)
        case .later: #expect(!isRefused)
        case .added, .interrupted: Issue.record("neither")
        }
        #expect(Outcome(FileCopy.Failure.over, of: nil, limit: 8) == .interrupted)
    }

    private func sighting(_ name: String, inode: UInt64 = 1, size: Int64 = 5, at: Int64 = 0) -> Sighting {
        Sighting(name: EntryName(name), mark: .init(inode: inode, size: size, modified: at, changed: at))
    }

    private func time(_ seconds: Double) -> SteadyTime {
        SteadyTime(microseconds: 0).adding(seconds: seconds)
    }

    @Test("A file is complete once it has not changed for as long as that takes, in the order of names")
    func settles() {
        var settling = Settling(patience: 3)
        let first = settling.look(at: [sighting("b"), sighting("a", inode: 2)], now: time(0))
        #expect(first.ready.isEmpty && first.next == 3)
        let second = settling.look(at: [sighting("b"), sighting("a", inode: 2)], now: time(2))
        #expect(second.ready.isEmpty && second.next == 1)
        // One is written to, and has to wait anew.
        let third = settling.look(at: [sighting("b"), sighting("a", inode: 2, size: 6)], now: time(3))
        #expect(third.ready == [sighting("b")] && third.next == 3)
        // What can't be taken is still complete with the next look.
        let fourth = settling.look(at: [sighting("b"), sighting("a", inode: 2, size: 6)], now: time(6))
        #expect(fourth.ready.map(\.name.text) == ["a", "b"] && fourth.next == nil)
    }

    @Test("A change of time or inode alone is a change; empty files and other names never are complete")
    func changes() {
        var settling = Settling(patience: 3)
        _ = settling.look(at: [sighting("a"), sighting("b"), sighting("c", size: 0)], now: time(0))
        let later = settling.look(
            at: [sighting("a", at: 1), sighting("b", inode: 9), sighting("c", size: 0), sighting(".d")],
            now: time(100)
        )
        #expect(later.ready.isEmpty && later.next == 3)
        // One that was away in between begins anew.
        _ = settling.look(at: [], now: time(101))
        #expect(settling.look(at: [sighting("a", at: 1)], now: time(104)).ready.isEmpty)
    }

    @Test("A claim's key says which file it is and when it was taken, so that a later file has another")
    func keys() {
        let first = Claim(sighting("a", inode: 7), at: 1000)
        let second = Claim(sighting("a", inode: 7), at: 1001)
        #expect(first.folder == EntryName(".taken-3e8-7") && Claim.isFolder(first.folder))
        #expect(first.key(part: 0) != second.key(part: 0) && first.key(part: 0) != first.key(part: 1))
        #expect(first == Claim(folder: EntryName(".taken-3e8-7"), name: EntryName("a")))
    }
}
