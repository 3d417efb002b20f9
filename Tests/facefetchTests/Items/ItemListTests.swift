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
