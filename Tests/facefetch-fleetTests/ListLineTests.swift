import Testing

@testable import facefetch_fleet

@Suite("Lists of items for a fleet")
struct ListLineTests {
    private func item(_ line: String) throws(FleetFailure) -> FleetQueue.NewItem? {
        try ListLine.item(Array(line.utf8), priority: 3, place: "list, line 7")
    }

    @Test("A line is a URL, an object of JSON, or nothing")
    func lines() throws {
        var plain = FleetQueue.NewItem(url: "HTTPS://example.org/a b".replacingBlank)
        plain.priority = 3
        #expect(try item("  HTTPS://example.org/a%20b\t\r") == plain)
        let full = try item(
            #"{"url":"http://a.example/","name":"n","sha256":"\#(String(repeating: "aB", count: 32))","priority":-7,"#
                + #""headers":{"X-B":"2","Cookie":"c"}}"#
        )
        #expect(full?.name == "n" && full?.priority == -7 && full?.headers == #"{"Cookie":"c","X-B":"2"}"#)
        for empty in ["", "   ", "# http://example.org/"] { #expect(try item(empty) == nil) }
        // As in a daemon's lists.
        let named = try item("http://a.example/b#c\td e.jpg # f")
        #expect(named?.url == "http://a.example/b#c" && named?.name == "d e.jpg")
        // A backslash, and no character U+0000.
        #expect(try item(#"{"url":"http://a/","meta":{"a":"\\u0000"}}"#)?.meta == #"{"a":"\\u0000"}"#)
    }

    @Test("Folder and facts of a line go before the options, and count for the digest")
    func folders() throws {
        let line = #"{"url":"http://a.example/","folder":"x/y","meta":{"k":[1,{}]}}"#
        let own = try #require(try item(line))
        #expect(own.folder == "x/y" && own.meta == #"{"k":[1,{}]}"#)
        let plain = try #require(try item("http://a.example/"))
        let options = try ItemOptions.parse([
            "--into", "z", "--meta", "a=b=c", "--header", "Cookie:  c", "--priority", "-5",
        ])
        var items = [own, plain]
        var filling = try options.filling()
        try filling.fill(&items)
        #expect(items.map(\.folder) == ["x/y", "z"] && items.map(\.meta) == [own.meta, #"{"a":"b=c"}"#])
        #expect(items.allSatisfy { $0.headers == #"{"Cookie":"c"}"# } && options.priority == -5)
        func digest(_ item: FleetQueue.NewItem) -> String {
            var digest = ItemsDigest()
            digest.update(with: item)
            return digest.text
        }
        var other = plain
        other.folder = "x/y"
        var third = plain
        third.meta = "x/y"
        #expect(Set([own, plain, other, third].map(digest)).count == 4)
        var named = try ItemOptions.parse(["--name", "n"]).filling()
        var (first, second) = ([plain], [plain])
        try named.fill(&first)
        #expect(first.map(\.name) == ["n"])
        #expect(throws: FleetFailure.self) { try named.fill(&second) }
    }

    @Test(
        "Options that no item can have are refused, and no refusal has a header field's value",
        arguments: [
            ["--into", "/a"], ["--into", "a/../b"], ["--name", "a/b"], ["--name", ".a"], ["--meta", "x"],
            ["--meta", "fleet=1"], ["--meta", "a=1", "--meta", "a=2"], ["--priority", "101"],
            ["--header", "secret"], ["--header", "A B: secret"], ["--header", "A: secr\u{E9}t"],
            ["--header", "A: secret", "--header", "a: secret"], ["--header", "@/nowhere"],
            // What every daemon would refuse, job by job.
            ["--meta", "note=" + String(repeating: "x", count: 4000)],
            ["--into", String(repeating: String(repeating: "d", count: 200) + "/", count: 6) + "d"],
        ]
    )
    func badOptions(words: [String]) throws {
        do {
            var items = [FleetQueue.NewItem(url: "http://a.example/")]
            var filling = try ItemOptions.parse(words).filling()
            try filling.fill(&items)
            Issue.record("taken")
        } catch { #expect(!"\(error)".contains("secr")) }
    }

    @Test("Bytes of a URL that are no UTF-8 are percent-encoded as they are; JSON has to be UTF-8")
    func bytes() throws {
        let line = Array("http://a/".utf8) + [0xE9]
        #expect(try ListLine.item(line, priority: 0, place: "")?.url == "http://a/%E9")
        let object = Array("{\"url\":\"http://a/".utf8) + [0xE9] + Array("\"}".utf8)
        #expect(throws: FleetFailure.self) { _ = try ListLine.item(object, priority: 0, place: "") }
    }

    @Test("What is too long is refused, with the white space around it")
    func lengths() {
        let url = "http://a/" + String(repeating: "x", count: 8184)
        for line in [url, "http://a/" + String(repeating: " ", count: 1 << 16), "{\"url\":\"\(url)\"}"] {
            let failure = #expect(throws: FleetFailure.self) { _ = try item(line) }
            #expect(failure?.message.hasPrefix("list, line 7: this is longer than ") == true)
        }
    }

    @Test(
        "What is no item is refused with its line",
        arguments: [
            "example.org", "ftp://example.org/", "http://", "https:///a", "http://a b/", "{", "{}",
            #"{"url":1}"#,
            #"{"url":"http://a/","priority":101}"#, #"{"url":"http://a/","sha256":"ab"}"#,
            #"{"url":"http://a/","headers":{"a":1}}"#, "http://a/\u{0}",
            #"{"url":"http://a/","meta":{"fleet":"1 2"}}"#, #"{"url":"http://a/","meta":[]}"#,
            #"{"url":"http://a/","folder":"../x"}"#, #"{"url":"http://a/","name":"../x"}"#,
            #"{"url":"http://a/","name":"a\u0000"}"#, #"{"url":"http://a/","meta":{"a":["\\\u0000"]}}"#,
            #"{"url":"http://a/","headers":{"A B":"c"}}"#,
            #"{"url":"http://a/","headers":{"A":"b\r\nC: d"}}"#,
            #"{"url":"http://a/","headers":{"":"b"}}"#, "http://a/\t.b",
        ]
    )
    func refused(line: String) {
        do {
            _ = try item(line)
            Issue.record("it was taken")
        } catch { #expect(error.status == .usage && error.message.hasPrefix("list, line 7: ")) }
    }

    @Test("The same items have one digest, others another, however their members are cut")
    func digests() throws {
        func digest(_ items: [(String, String?)]) -> String {
            var digest = ItemsDigest()
            for (url, name) in items {
                var item = FleetQueue.NewItem(url: url)
                item.name = name
                digest.update(with: item)
            }
            return digest.text
        }
        let lists: [[(String, String?)]] = [
            [("a", "b")], [("ab", nil)], [("ab", "")], [("a", nil), ("b", nil)], [("b", nil), ("a", nil)], [],
        ]
        #expect(Set(lists.map(digest)).count == lists.count)
        #expect(digest(lists[0]) == digest(lists[0]))
    }
}

extension String {
    fileprivate var replacingBlank: String { split(separator: " ").joined(separator: "%20") }
}
