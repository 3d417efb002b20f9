import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// Pages of kind html.
@Suite struct HTMLPageTests {
    private static let page = """
        <!DOCTYPE html><html><head><title> Two
          pictures &amp; more </title>
        <meta name="Description" content="Old boats"><meta property="og:image" content="/big.jpg">
        <meta property="og:image" content="/other.jpg">
        <link rel="stylesheet" href="s.css"><link rel=NEXT href="?n=2">
        <script type="application/ld+json">{"@type": "ImageObject", "id": 12345678901234567890}</script>
        <script type="application/ld+json">{broken</script><script>let a = "<img src=no.jpg>"</script></head>
        <body><a href="/boat/1" class="c" id="i">See <b>the</b>
          boat <img src=1.jpg alt="A &quot;boat&quot;" width=640 height="480px" class="big photo"></a>
        <p><img data-src="2.jpg" src="data:image/gif;base64,AAAA" title=Two width=100%>
        <img alt="no picture"><a name=anchor>no link</a>
        <map><area href="area.html"></map><template><img src=template.jpg></template>
        </body></html>
        """

    /// What an expression gives of a page, as JSON.
    private static func value(
        _ expression: String,
        _ page: String,
        url: String = "https://h.example/dir/page?n=1",
        headers: [String: String] = [:]
    ) throws -> String {
        let program = ListerProgram.of("html") {
            $0.items = "[\(expression)] | {v: .}"
            $0.url = "\"u\""
            $0.meta = "."
        }
        let read = try Reading(program, page) {
            $0.url = url
            $0.headers = headers
        }
        #expect(read.failure == nil)
        let meta = try #require(read.items.first?.meta)
        return try #require(try JSONText.sorted(String(meta.dropFirst(5).dropLast(1))))
    }

    @Test(
        "A page is an object with what it says, its URLs absolute",
        arguments: [
            (".url, .base", #"["https://h.example/dir/page?n=1","https://h.example/dir/page?n=1"]"#),
            (".title", #"["Two pictures & more"]"#),
            (".meta", #"[{"description":"Old boats","og:image":"/big.jpg"}]"#),
            (".json_ld", #"[[{"@type":"ImageObject","id":"12345678901234567890"}]]"#),
            (".next", #"["?n=2"]"#),
            (
                ".images[0]",
                #"[{"alt":"A \"boat\"","class":"big photo","height":480,"id":null,"parent_link":"https://h.example/boat/1","srcset":null,"title":null,"url":"https://h.example/dir/1.jpg","width":640}]"#
            ),
            (
                ".images[1]",
                #"[{"alt":null,"class":null,"height":null,"id":null,"parent_link":null,"srcset":null,"title":"Two","url":"https://h.example/dir/2.jpg","width":null}]"#
            ),
            (".images | length", "[2]"),
            (
                ".links[2]",
                #"[{"class":"c","id":"i","rel":null,"text":"See the boat","type":null,"url":"https://h.example/boat/1"}]"#
            ),
            (
                ".links[] | [.url, .rel, .text]",
                #"[["https://h.example/dir/s.css","stylesheet",null],["https://h.example/dir/page?n=2","next",null],["https://h.example/boat/1",null,"See the boat"],["https://h.example/dir/area.html",null,null]]"#
            ),
        ]
    )
    func object(_ expression: String, _ expected: String) throws {
        #expect(try Self.value(expression, Self.page) == expected)
    }

    @Test("Without items, all images are items, and next: link goes by the page")
    func images() throws {
        let read = try Reading(.of("html") { $0.next = "link" }, Self.page)
        #expect(read.urls == ["https://h.example/dir/1.jpg", "https://h.example/dir/2.jpg"])
        #expect(read.page?.next == .url("?n=2"))
        #expect(
            read.page?.seen
                == "the page \"Two pictures & more\" is HTML with 2 images, 4 links and 1 json_ld, and a link to a next page"
        )
        let field = try Reading(.of("html") { $0.next = "link" }, Self.page) { $0.links = ["next": "/x"] }
        #expect(field.page?.next == .url("/x"))
        let last = try Reading(
            .of("html") { $0.next = "link" },
            "<a rel='prev nofollow' href=1>x</a><img src=1>"
        )
        #expect(last.page?.next == .end)
        let based = try Reading(
            .of("html") { $0.next = "link" },
            "<base href=/b/><a rel='nofollow next' href=2>x</a><img src=1>"
        )
        #expect(based.page?.next == .url("https://h.example/b/2") && based.urls == ["https://h.example/b/1"])
    }

    @Test(
        "The picture is the largest of those that there are",
        arguments: [
            ("<img src=a srcset='b 320w, c 1280w, d 640w'>", "c"),
            ("<img src=a srcset='b 2x, c 1.5x'>", "b"), ("<img src=a srcset='b, c 1x'>", "a"),
            ("<img srcset='b, c 2x' src=''>", "c"), ("<img src=a data-src=b>", "b"),
            ("<img src=a data-srcset='b 100w,c 200w'>", "c"), ("<img src=a data-srcset=b>", "a"),
            ("<img src=data:x data-srcset=' b '>", "b"), ("<img src=a srcset='data:x 5000w, b 10w'>", "b"),
            ("<img srcset='w_200,h_100/b.jpg 1x, w_400,h_200/c.jpg 2x'>", "w_400,h_200/c.jpg"),
            ("<img srcset=',, b 10w (a, b) , c 20w,'>", "c"),
            ("<img src=a srcset='b -5w, c 0x, d nanw'>", "a"),
            ("<img src=a srcset='b infw'>", "a"), ("<img src=a srcset='b 1e3w'>", "b"),
            ("<picture><source srcset='b 800w' type=image/avif><img src=a></picture>", "b"),
            ("<picture><source srcset=b><source srcset='c 3x'><img src=a></picture>", "c"),
            ("<picture><source data-srcset='b 900w'><img srcset='c 800w' src=a></picture>", "b"),
            ("<picture><source srcset=b media='(min-width: 9px)'><img src=a></picture>", "a"),
            ("<picture><source srcset='b 9w'></picture><img src=a>", "a"), ("<image src=a>", "a"),
            ("<noscript><img src=a></noscript>", "a"), ("<IMG SRC = 'a'>", "a"),
            ("<img src='\n a b '>", "a b"),
            ("<video><source src=v srcset='b 9w'></video><img src=a>", "a"),
        ]
    )
    func largest(_ html: String, _ expected: String) throws {
        let read = try Reading(.of("html"), "<html>" + html)
        #expect(read.urls == ["https://h.example/dir/" + expected])
    }

    @Test(
        "Images without a URL to ask for are none",
        arguments: ["", "src", "src=''", "src=data:x", "src=BLOB:x"]
    )
    func noImages(_ attributes: String) throws {
        let read = try Reading(.of("html"), "<html><img \(attributes)><a href=x>x</a>")
        #expect(read.items.isEmpty && read.failure == nil && read.page?.listed == 0)
    }

    @Test(
        "A base is the first with a URL that pages can have",
        arguments: [
            ("<base target=x><base href='//o.example/b/c'>", "https://o.example/b/1"),
            ("<base href='sub/'><base href='/no/'>", "https://h.example/dir/sub/1"),
            ("<base href='javascript:x'>", "https://h.example/dir/1"),
            ("<base href=''>", "https://h.example/dir/1"),
            ("<base href='data:text/html,x'>", "https://h.example/dir/1"),
        ]
    )
    func base(_ html: String, _ expected: String) throws {
        #expect(try Reading(.of("html"), html + "<img src=1>").urls == [expected])
    }

    @Test("Indexes of Apache and nginx are a matter of links")
    func directories() throws {
        let apache = """
            <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><html><head><title>Index of /p</title></head><body>
            <h1>Index of /p</h1><table><tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last</a></th></tr>
            <tr><td><a href="/">Parent Directory</a></td><td>&nbsp;</td></tr>
            <tr><td><a href="a%20b.JPG">a b.JPG</a></td><td align="right">2026-01-01 10:00</td></tr>
            <tr><td><a href="sub/">sub/</a></td></tr><tr><td><a href="note.txt">note.txt</a></td></tr></table></body></html>
            """
        let nginx = """
            <html>\r
            <head><title>Index of /p/</title></head>\r
            <body>\r
            <h1>Index of /p/</h1><hr><pre><a href="../">../</a>\r
            <a href="a%20b.JPG">a b.JPG</a>      01-Jan-2026 10:00      1234\r
            <a href="note.txt">note.txt</a>\r
            </pre><hr></body>\r
            </html>
            """
        let program = ListerProgram.of("html") {
            $0.items = #".links[] | select(.url | test("[.](jpe?g|png)$"; "i"))"#
            $0.name = ".text"
        }
        for page in [apache, nginx] {
            let read = try Reading(program, page)
            #expect(read.urls == ["https://h.example/dir/a%20b.JPG"] && read.items.first?.name == "a b.JPG")
        }
    }

    @Test("Scripts aren't run, and that is said where nothing else is there")
    func scripts() throws {
        let page = "<!doctype html><div id=root></div><script src=app.js></script>"
        let read = try Reading(.of("html"), page)
        #expect(
            read.page?.notes == ["the page as it comes has no images; what its scripts would add isn't seen"]
        )
        #expect(read.page?.seen == "the page is HTML with 0 images and 0 links")
        #expect(try Reading(.of("html") { $0.items = ".links[]" }, page).page?.notes == nil)
        // Nor is what they say the text of a link.
        let link =
            "<a href=x>Na<script>track(1)</script>me<script type='application/ld+json'>[1]</script></a>"
        #expect(try Self.value(".links[].text, .json_ld", link) == #"["Name",[[1]]]"#)
    }

    @Test(
        "A page is in the encoding that browsers find",
        arguments: [
            ("<meta charset=windows-1251><img src=1 alt='\u{E9}'>", nil, "й"),
            (
                "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'><img src=1 alt='\u{C1}'>",
                nil, "а"
            ),
            ("<img src=1 alt='\u{93}'>", nil, "\u{201C}"),
            ("<img src=1 alt='\u{E9}'>", "text/html; charset=iso-8859-1", "é"),
            ("<meta charset=utf-16><img src=1 alt='\u{E9}'>", nil, "\u{FFFD}"),
            ("<meta charset=utf-8><img src=1 alt='\u{E9}'>", nil, "\u{FFFD}"),
            ("<!-- <meta charset=koi8-r> --><meta charset=nonsense><img src=1 alt='\u{E9}'>", nil, "é"),
        ] as [(String, String?, String)]
    )
    func encodings(_ page: String, _ contentType: String?, _ expected: String) throws {
        let bytes = page.unicodeScalars.map { UInt8($0.value) }
        let program = ListerProgram.of("html") { $0.name = ".alt" }
        let read = try Reading(program, bytes) { request in
            if let contentType { request.headers = ["content-type": contentType] }
        }
        #expect(read.items.first?.name == expected)
    }

    @Test("UTF-16 and UTF-8 are known by their marks, and UTF-8 by itself")
    func marks() throws {
        let page = "<img src=1 alt='é щ'>"
        let program = ListerProgram.of("html") { $0.name = ".alt" }
        let wide: [UInt8] = [0xFF, 0xFE] + page.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(page.utf8)
        for bytes in [wide, marked, Array(page.utf8)] {
            #expect(try Reading(program, bytes).items.first?.name == "é щ")
        }
    }

    @Test(
        "What is something else is refused, with the kind that it seems to be",
        arguments: [
            ("", "but is empty"), (" \n", "but is empty"), (#"{"a": 1}"#, "set kind: json"),
            ("[1]", "set kind: json"),
            ("<?xml version='1.0'?><rss version='2.0'></rss>", "set kind: feed"),
            ("<urlset xmlns='x'></urlset>", "set kind: sitemap"),
            ("<?xml version='1.0'?><a/>", "set kind: xml"),
            ("just words", "something else"), ("%PDF-1.4\u{0}", "bytes that no text has"),
        ]
    )
    func others(_ page: String, _ words: String) throws {
        let failure = try #require(try Reading(.of("html"), page).failure)
        #expect(
            failure.code == "unexpected_type" && failure.message.hasPrefix("the page should be HTML, but is ")
        )
        #expect(failure.message.contains(words))
    }

    @Test(
        "HTML in place of another kind leads to kind html",
        arguments: ["json", "jsonl", "csv", "lines", "autoindex", "feed", "sitemap"]
    )
    func otherKinds(_ kind: String) throws {
        let program = ListerProgram.of(kind) { if kind == "json" { ($0.items, $0.url) = (".[]", ".u") } }
        for page in [
            "<!DOCTYPE html><html><p>x</html>",
            "<html xmlns=\"http://www.w3.org/1999/xhtml\"><p>x</p></html>",
        ] {
            let failure = try #require(try Reading(program, page).failure)
            #expect(failure.code == "unexpected_type" && failure.message.contains("set kind: html"))
        }
    }

    // MARK: - Hostile pages

    private static func repeated(_ text: String, _ count: Int, _ end: String = "") -> String {
        "<html>" + String(repeating: text, count: count) + end
    }

    @Test(
        "What would take for ever or all memory is refused in words",
        arguments: [
            (repeated("<div>", 100_000), "nested more than 5000 deep"),
            (repeated("<B>", 5002), "nested more than 5000 deep"),
            ("<img " + String(repeating: "a ", count: 1001) + ">", "more than 1000 attributes"),
            (
                "<img \((0..<20_000).map { "a\($0)=\"x>y\"" }.joined(separator: " "))>",
                "more than 1000 attributes"
            ),
        ]
    )
    func endless(_ page: String, _ words: String) throws {
        let failure = try #require(try Reading(.of("html"), page).failure)
        #expect(failure.code == "unexpected_shape" && failure.message.contains(words))
    }

    @Test("A comment without an end is the rest of the page, and is passed over once")
    func openComment() throws {
        // In a comment that was looked into, this would be an element.
        let page = "<html><img src=first.jpg><!--<img" + String(repeating: " a", count: 1001)
        let read = try Reading(.of("html"), page)
        #expect(read.failure == nil && read.urls == ["https://h.example/dir/first.jpg"])
    }

    @Test("A tree that takes too much memory is refused in words")
    func memory() throws {
        // Each paragraph opens all that are open anew.
        let page = (0..<4000).map { "<font size=\($0)><p>" }.joined()
        let failure = try #require(try Reading(.of("html") { $0.maximumBytes = 1 << 20 }, page).failure)
        #expect(failure.code == "too_much_memory" && failure.message.contains("too much memory"))
    }

    @Test(
        "Pages as people write them are read, however they are broken",
        arguments: [
            repeated("<li>x<p>y<td>", 20_000), repeated("<svg><path/><path/></svg>", 20_000),
            repeated("</div></p></b>", 20_000), repeated("<!-- <div> -->", 20_000),
            repeated("<div></div>", 20_000),
            repeated("<", 20_000), repeated("<a href=x>", 5_000),
            "<html><script>" + repeated("<div>", 9000, "</script>"),
            "<html><!--" + repeated("<div>", 9000, "-->"), "<html><img src='1", "<html><!--", "<html><!-->",
            "<html><!",
            "<html><img src=1", "<html></", "<html><title>",
            repeated("\u{0}", 10, "").replacing("\u{0}", with: "&#0;"),
            "<html><script type='application/ld+json'>" + String(repeating: "[", count: 50_000) + "</script>",
        ]
    )
    func broken(_ page: String) throws {
        let read = try Reading(.of("html"), page + "<p><img src=last.jpg>")
        #expect(read.failure == nil)
        // Some of the endings hide what follows, or are an image themselves.
        #expect(read.urls.count <= 2)
    }
}
