import Foundation
import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// Pages in encodings other than UTF-8.
@Suite struct EncodingPageTests {
    /// The word for pictures, or another, in each encoding.
    static let words: [(label: String, bytes: [UInt8], text: String)] = [
        ("windows-1251", [0xCC, 0xE8, 0xF0], "Мир"), ("koi8-r", [0xED, 0xC9, 0xD2], "Мир"),
        ("gbk", [0xCD, 0xBC, 0xC6, 0xAC], "图片"), ("gb2312", [0xCD, 0xBC, 0xC6, 0xAC], "图片"),
        ("big5", [0xB9, 0xCF, 0xA4, 0xF9], "圖片"), ("euc-kr", [0xBB, 0xE7, 0xC1, 0xF8], "사진"),
        ("shift_jis", [0x8E, 0xCA, 0x90, 0x5E, 0x7E, 0x5C], "写真~\\"),
        ("euc-jp", [0xBC, 0xCC, 0xBF, 0xBF], "写真"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x3C, 0x4C, 0x3F, 0x3F, 0x1B, 0x28, 0x42], "写真"),
        ("windows-1252", [0x80, 0xE9], "€é"), ("iso-8859-1", [0x93, 0xE9], "“é"), ("iso-8859-2", [0xB3], "ł"),
        ("iso-8859-15", [0xA4], "€"), ("windows-1253", [0xE1], "α"), ("tis-620", [0xA1], "ก"),
        ("macintosh", [0x8E], "é"),
    ]

    private static func feed(_ title: [UInt8], declared: String? = nil) -> [UInt8] {
        let declaration = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
        let start = "\(declaration)<rss><channel><item><title>"
        return Array(start.utf8) + title
            + Array("</title><enclosure url='http://a/1.jpg'/></item></channel></rss>".utf8)
    }

    private static let titled = ListerProgram.of("feed") { $0.name = ".title" }

    @Test(
        "A feed is read in the encoding that its declaration, Content-Type or the recipe says",
        arguments: words
    )
    func feeds(_ label: String, _ bytes: [UInt8], _ text: String) throws {
        // What is escaped can't stand in XML as it is.
        guard label != "iso-2022-jp" else { return }
        let declared = try Reading(Self.titled, Self.feed(bytes, declared: label))
        #expect(declared.items.first?.name == text)
        let stated = try Reading(Self.titled, Self.feed(bytes)) {
            $0.headers["content-type"] = "application/rss+xml; charset=\(label)"
        }
        #expect(stated.items.first?.name == text)
        let overruled = try Reading(Self.titled, Self.feed(bytes, declared: "iso-8859-7")) {
            $0.headers["content-type"] = "text/xml; charset=\(label)"
        }
        #expect(overruled.items.first?.name == text)
        let given = ListerProgram.of("feed") {
            $0.name = ".title"
            $0.encoding = label
        }
        #expect(try Reading(given, Self.feed(bytes, declared: "utf-8")).items.first?.name == text)
    }

    @Test(
        "Rows are read in the encoding that Content-Type or the recipe says, in pieces of any size",
        arguments: words
    )
    func rows(_ label: String, _ bytes: [UInt8], _ text: String) throws {
        let rows = (1...4).map { Array("http://a/\($0),".utf8) + bytes + [0x0D, 0x0A] }
        let list = Array("url,n\r\n".utf8) + rows.flatMap(\.self)
        for isGiven in [true, false] {
            let program = ListerProgram.of("csv") {
                $0.name = ".n"
                if isGiven { $0.encoding = label }
            }
            var rows: ListerRequest.Rows? = .init(most: 3)
            var names: [String?] = []
            while let asked = rows {
                let read = try Reading(program, list) {
                    $0.rows = asked
                    // It is known at the beginning alone.
                    if asked.bytes == 0, !isGiven {
                        $0.headers["content-type"] = "text/csv; charset=\(label)"
                    }
                }
                names += read.items.map(\.name)
                if case .rows(let next)? = read.page?.next { rows = next } else { rows = nil }
            }
            #expect(names == Array(repeating: text, count: 4))
        }
    }

    @Test("JSON that isn't UTF-8 is read in the encoding that Content-Type says", arguments: words)
    func json(_ label: String, _ bytes: [UInt8], _ text: String) throws {
        guard !["iso-2022-jp", "shift_jis", "gbk", "gb2312"].contains(label) else { return }
        let page = Array("[{\"u\":\"http://a/1\",\"n\":\"".utf8) + bytes + Array("\"}]".utf8)
        let read = try Reading(.json { $0.name = ".n" }, page) {
            $0.headers["content-type"] = "application/json; charset=\(label)"
        }
        #expect(read.items.first?.name == text)
    }

    /// A text in UTF-16.
    private static func wide(_ text: String, isLittle: Bool, hasMark: Bool) -> [UInt8] {
        ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isLittle ? [low, high] : [high, low]
        }
    }

    @Test("UTF-16 is read, with a mark or without, as every kind", arguments: [true, false], [true, false])
    func wide(_ isLittle: Bool, _ hasMark: Bool) throws {
        func page(_ text: String) -> [UInt8] { Self.wide(text, isLittle: isLittle, hasMark: hasMark) }
        let lines = try Reading(.of("lines"), page("http://a/1\r\nhttp://a/Āȍ\n\r\nhttp://a/3"))
        #expect(lines.urls == ["http://a/1", "http://a/Āȍ", "http://a/3"])
        #expect(lines.items.map(\.line) == [1, 2, 4])
        var rows: ListerRequest.Rows? = .init(most: 1)
        var names: [String] = []
        while let asked = rows {
            let read = try Reading(
                .of("csv") { $0.name = ".n" },
                page("url,n\nhttp://a/1,\"x\ny\"\nhttp://a/2,図")
            ) { $0.rows = asked }
            names += read.items.compactMap(\.name)
            if case .rows(let next)? = read.page?.next { rows = next } else { rows = nil }
        }
        #expect(names == ["x\ny", "図"])
        let json = try Reading(.json { $0.name = ".n" }, page(#"[{"u":"http://a/1","n":"é😀"}]"#))
        #expect(json.items.first?.name == "é😀")
        let feed = String(decoding: Self.feed(Array("é".utf8), declared: "utf-16"), as: UTF8.self)
        #expect(try Reading(Self.titled, page(feed)).items.first?.name == "é")
    }

    @Test("Bytes that no text has are refused whole, and so is an encoding that nobody knows, by its name")
    func refused() throws {
        for kind in ["lines", "csv", "jsonl"] {
            let failure = try Reading(.of(kind), Array("url\u{0}\u{1}http://a\n".utf8)).failure
            #expect(failure?.message.contains("bytes that no text has") == true, "\(kind)")
        }
        let unknown = try Reading(Self.titled, Self.feed([0xE9], declared: "klingon")).failure
        #expect(
            unknown?.message
                == "the page is in an unknown encoding, klingon; set encoding in the recipe to the right one"
        )
        for (name, isRead) in [(Array("a".utf8), true), (Array("é".utf8), true), ([0xE9], false)] {
            let list = try Reading(.of("csv"), Array("url,n\nhttp://a,".utf8) + name + [0x0A]) {
                $0.headers["content-type"] = "text/csv; charset=klingon"
            }
            #expect((list.failure?.message.contains("klingon") ?? false) != isRead, "\(name)")
        }
    }

    @Test("What can be nothing but UTF-8 is, whatever its server says of all that it has")
    func wrongCharset() throws {
        let read = try Reading(Self.titled, Self.feed(Array("é日".utf8), declared: "utf-8")) {
            $0.headers["content-type"] = "text/xml; charset=iso-8859-1"
        }
        #expect(read.items.first?.name == "é日")
        for label in ["iso-8859-1", "windows-1251", "koi8-r"] {
            let list = try Reading(.of("lines"), "http://a/1\nhttp://a/é日\n") {
                $0.headers["content-type"] = "text/plain; charset=\(label)"
            }
            #expect(list.urls == ["http://a/1", "http://a/é日"], "\(label)")
        }
    }

    @Test(
        "A feed that is no UTF-8 is read as it declares itself, although its server says UTF-8 of all",
        arguments: [("iso-8859-1", [0xE9], "é"), ("windows-1251", [0xCC, 0xE8, 0xF0], "Мир")]
            as [(String, [UInt8], String)]
    )
    func wrongUTF8(_ label: String, _ bytes: [UInt8], _ text: String) throws {
        let read = try Reading(Self.titled, Self.feed(bytes, declared: label)) {
            $0.headers["content-type"] = "application/rss+xml; charset=utf-8"
        }
        #expect(read.items.first?.name == text)
    }

    @Test("What is no character becomes U+FFFD, and the rest is read")
    func broken() {
        #expect(
            Converters.utf8([0x61, 0xFF, 0x62], from: .gb18030).map { String(decoding: $0, as: UTF8.self) }
                == "a�b"
        )
        #expect(
            Converters.utf8([0x61, 0x00, 0x3D, 0xD8, 0x62, 0x00, 0x63], from: .utf16le) == Array("a�b�".utf8)
        )
        let long = [UInt8](repeating: 0xCC, count: 200_001)
        #expect(Converters.utf8(long, from: .windows1251)?.count == 400_002)
    }
}
