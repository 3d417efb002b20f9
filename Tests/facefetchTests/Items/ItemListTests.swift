import ControlAPI
import Testing

@testable import facefetch

@Suite("Lists of URLs")
struct ItemListTests {
    @Test("Comments and blank lines are passed over, and lines are counted with them")
    func lists() {
        var list = ItemList()
        let text = "# one\nhttp://h/a\n\n \thttp://h/b \r\n  #x\nhttp://h/c#frag # y #z\nhttp://h/d\t#"
        list.add(list: text, source: "l")
        #expect(
            list.items == [
                .init(url: "http://h/a", place: "l line 2"), .init(url: "http://h/b", place: "l line 4"),
                .init(url: "http://h/c#frag", place: "l line 6"), .init(url: "http://h/d", place: "l line 7"),
            ]
        )
    }

    @Test(
        "Whatever ends lines, and whatever is around a URL, the same is read",
        arguments: [
            "http://h/a\n\n http://h/b\nhttp://h/c\t", "http://h/a\r\n\r\nhttp://h/b \r\n\thttp://h/c\r\n",
            "http://h/a\r\rhttp://h/b\rhttp://h/c", "http://h/a\u{0B}\u{0C}http://h/b\n\u{A0}http://h/c",
            "http://h/a\u{85}\u{2028}http://h/b\u{2029}http://h/c\u{3000}\n",
        ]
    )
    func lineEnds(text: String) {
        var list = ItemList()
        list.add(list: text, source: "l")
        #expect(
            list.items == [
                .init(url: "http://h/a", place: "l line 1"), .init(url: "http://h/b", place: "l line 3"),
                .init(url: "http://h/c", place: "l line 4"),
            ]
        )
    }

    @Test("Bytes of a list that are no UTF-8 are percent-encoded as they are")
    func bytes() {
        var list = ItemList()
        let lines = ["http://h/\u{E9} # \u{E9}", "http://h/", "# ", "http://h/c"]
        let bytes =
            Array((lines[0] + "\r\n" + lines[1]).utf8) + [0xE9, 0x0A] + Array(lines[2].utf8) + [0xE9, 0x0A]
        list.add(bytes: bytes + Array(lines[3].utf8), source: "l")
        #expect(
            list.items == [
                .init(url: "http://h/\u{E9}", place: "l line 1"),
                .init(url: "http://h/%E9", place: "l line 2"),
                .init(url: "http://h/c", place: "l line 4"),
            ]
        )
    }

    @Test("A name in quotation marks may have what would begin a comment")
    func quotedNames() {
        var list = ItemList()
        let text =
            "http://h/a\t\"Photo #3.jpg\" # mine\nhttp://h/b \t \"#\"\"4\"\"\"\nhttp://h/c # \t\"no\"\n"
            + "http://h/d\t\"6\" or #7\nhttp://h/e\t\"\"\n# \t\"x\"\nhttp://h/f\t\"open"
        list.add(list: text, source: "l")
        #expect(
            list.items == [
                .init(url: "http://h/a", place: "l line 1", name: "Photo #3.jpg"),
                .init(url: "http://h/b", place: "l line 2", name: "#\"4\""),
                .init(url: "http://h/c", place: "l line 3"),
                .init(url: "http://h/d", place: "l line 4", name: "\"6\" or"),
                .init(url: "http://h/e", place: "l line 5"),
                .init(url: "http://h/f", place: "l line 7", name: "\"open"),
            ]
        )
    }

    @Test("A name may follow a URL after a tab, and not after a blank")
    func names() {
        var list = ItemList()
        list.add(
            list: "http://h/a\tone two.jpg # mine\n\thttp://h/b\nhttp://h/c d\nhttp://h/e\t\t f\tg \n",
            source: "l"
        )
        #expect(
            list.items == [
                .init(url: "http://h/a", place: "l line 1", name: "one two.jpg"),
                .init(url: "http://h/b", place: "l line 2"), .init(url: "http://h/c d", place: "l line 3"),
                .init(url: "http://h/e", place: "l line 4", name: "f\tg"),
            ]
        )
    }

    @Test(
        "A list's encoding is told by how it begins",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x61], "a"), ([0xFF, 0xFE, 0x61, 0, 0xE9, 0], "aé"),
            ([0xFE, 0xFF, 0, 0x61, 0xD8, 0x3D, 0xDE, 0x00], "a😀"), ([0x61], "a"), ([], ""),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10], nil), ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], nil), ([0], nil),
        ] as [([UInt8], String?)]
    )
    func encodings(bytes: [UInt8], text: String?) {
        let plain = ListEncoding(beginning: bytes.prefix(1024))?.plain(bytes)
        #expect(plain.map { String(decoding: $0, as: UTF8.self) } == text)
    }

    @Test("What is too long with white space is refused with it")
    func padded() {
        var list = ItemList()
        let blanks = String(repeating: " ", count: 8192)
        list.add(list: "http://h/a\(blanks)\n\(blanks)\nhttp://h/b\(blanks)#", source: "l")
        #expect(list.items.map(\.place) == ["l line 1", "l line 3"])
        for item in list.items {
            #expect(BatchParts.refusal(of: item.url) == "the URL is longer than 8192 bytes")
        }
    }

    @Test("A URL is refused for its length as it is sent")
    func encodedLength() {
        let words = "the URL is longer than 8192 bytes, percent-encoded"
        #expect(BatchParts.refusal(of: "http://h/" + String(repeating: "[", count: 2728)) == words)
        #expect(BatchParts.refusal(of: "http://h/#" + String(repeating: "[", count: 2728)) == nil)
        #expect(BatchParts.refusal(of: "http://h/My%20Photo%20[1].jpg") == nil)
    }

    @Test("Many refused items are named up to twenty")
    func manyRefused() {
        var list = ItemList()
        list.add(arguments: (0..<30).map { "ftp://h/\($0)" })
        let errors = (0..<30).map { ProblemJSON.ItemError(index: $0, field: "url", reason: "no") }
        let problem = ProblemJSON(title: "", status: 422, code: "invalid_items", detail: "", errors: errors)
        let error = list.explain(RefusedItems(problem: problem, items: errors))
        #expect(error.status == .usage)
        #expect(error.message.split(separator: "\n").count == 21)
        #expect(error.message.contains("argument 20, \"ftp://h/19\", is refused: no."))
        #expect(error.message.contains("10 more are refused. Nothing was added"))
    }

    @Test("An index that there isn't is still told")
    func strangeIndex() {
        let errors = [ProblemJSON.ItemError(index: 5, field: "url", reason: "no")]
        let problem = ProblemJSON(title: "", status: 422, code: "invalid_items", detail: "", errors: errors)
        #expect(ItemList().explain(RefusedItems(problem: problem, items: errors)).message.contains("item 6"))
    }
}
