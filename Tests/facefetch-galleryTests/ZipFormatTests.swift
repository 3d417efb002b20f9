import Testing

@testable import facefetch_gallery

@Suite("An archive")
struct ZipFormatTests {
    @Test(
        "has checksums as ZIP has them",
        arguments: [("", 0), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43)] as [(String, UInt32)]
    )
    func checksum(text: String, sum: UInt32) {
        var checksum = CRC32()
        for byte in text.utf8 { withUnsafeBytes(of: byte) { checksum.add($0) } }
        #expect(checksum.value == sum)
    }

    @Test("is two files and a directory, byte for byte")
    func small() {
        let moment = ZipFormat.Moment(year: 2026, month: 11, day: 26, hour: 17, minute: 30, second: 8)
        #expect(moment.time == 17 << 11 | 30 << 5 | 4 && moment.date == 46 << 9 | 11 << 5 | 26)
        var zip = ZipFormat(moment: moment)
        var bytes: [UInt8] = []
        for (name, text) in [("a", "123456789"), ("é", "")] {
            bytes += zip.begin(name: name, size: UInt64(text.utf8.count))
            #expect(Array(text.utf8).withUnsafeBytes { zip.add($0) })
            bytes += Array(text.utf8) + (zip.end() ?? [])
        }
        #expect(bytes.count == 30 + 1 + 9 + 16 + 30 + 2 + 16)
        #expect(bytes[0..<8] == [0x50, 0x4B, 3, 4, 20, 0, 8, 8])
        #expect(bytes[40..<56] == [0x50, 0x4B, 7, 8, 0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0, 9, 0, 0, 0])
        let directory = zip.directory()
        #expect(directory.count == 46 + 1 + 46 + 2 + 22)
        #expect(directory[0..<4] == [0x50, 0x4B, 1, 2])
        #expect(
            directory.suffix(22) == [
                0x50, 0x4B, 5, 6, 0, 0, 0, 0, 2, 0, 2, 0, 95, 0, 0, 0, 104, 0, 0, 0, 0, 0,
            ]
        )
    }

    @Test("goes by ZIP64 where a file or a place in it is beyond 4 GiB")
    func large() {
        var zip = ZipFormat(moment: .init(year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0))
        let head = zip.begin(name: "a", size: 5 << 30)
        #expect(head[4] == 45 && head.count == 30 + 1 + 20)
        // Nobody has so many bytes at hand: one piece, many times over.
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        #expect(piece.withUnsafeBytes { zip.add($0) })
        #expect(zip.end() == nil, "there is less of it than was said")
    }

    @Test("takes no more of a file than was said")
    func tooLong() {
        var zip = ZipFormat(moment: .init(year: 2026, month: 1, day: 1, hour: 0, minute: 0, second: 0))
        _ = zip.begin(name: "a", size: 1)
        #expect(![1, 2].withUnsafeBytes { zip.add($0) })
    }

    @Test("has each name once, as one part of a path")
    func names() {
        var names = ArchiveNames()
        for (field, name) in [
            ("attachment; filename=\"a.jpg\"", "a.jpg"), ("attachment; filename=\"A.jpg\"", "A (2).jpg"),
            ("attachment; filename=\"x\"; filename*=UTF-8''%C3%A9%2Fb.png", "é_b.png"),
            ("attachment; filename=\"..\"", "7"), (nil, "7 (2)"), ("attachment; filename=\".a\"", ".a"),
            ("attachment; filename=\".a\"", ".a (2)"),
            // A backslash, a colon and a slash under accents, and dots before an extension.
            (
                "attachment; filename*=UTF-8''a%5C%CC%81b%3A%CC%81%2F%CC%81.png",
                "a_\u{301}b_\u{301}_\u{301}.png"
            ),
            ("attachment; filename*=UTF-8''a.%CC%81png", "a.\u{301}png"),
            ("attachment; filename*=UTF-8''a.%CC%81png", "a (2).\u{301}png"),
        ] as [(String?, String)] {
            #expect(names.name(suggested: field, job: 7) == name)
        }
    }

    @Test(
        "is asked for by jobs",
        arguments: [
            ("/pictures.zip?ids=1,2,1", [1, 2]), ("/pictures.zip?ids=3%2C4", [3, 4]), ("/pictures.zip", nil),
            ("/pictures.zip?ids=", nil), ("/pictures.zip?ids=0", nil), ("/pictures.zip?ids=1,x", nil),
            ("/pictures.zip?id=1", nil), ("/pictures.zip?ids=99999999999999999999", nil),
            ("/pictures.zip?ids=1" + String(repeating: ",1", count: 500), nil),
        ] as [(String, [Int64]?)]
    )
    func jobs(target: String, jobs: [Int64]?) {
        #expect(ArchiveRequest.jobs(in: target) == jobs)
    }
}
