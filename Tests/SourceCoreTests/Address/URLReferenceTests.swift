import Testing
import Vocabulary

@testable import SourceCore

@Suite struct URLReferenceTests {
    @Test(
        "References resolve as in RFC 3986 §5.4",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            (" g\n", "http://a/b/c/g"), ("HTTPS://Example.ORG:8443/X", "https://example.org:8443/X"),
        ]
    )
    func resolving(_ reference: String, _ url: String) {
        #expect(URLReference("http://a/b/c/d;p?q").resolving(reference).text == url)
    }

    @Test("A relative reference on a page without a path gets a slash")
    func emptyPath() {
        #expect(URLReference("https://a.example").resolving("g").text == "https://a.example/g")
    }

    @Test(
        "An object replaces parameters of the page's own query",
        arguments: [
            ("https://a/x", [("page", "2")], "https://a/x?page=2"),
            ("https://a/x?page=1&n=5", [("page", "2")], "https://a/x?page=2&n=5"),
            ("https://a/x?page=1&n=5", [("page", nil)], "https://a/x?n=5"),
            ("https://a/x?page=1", [("page", nil)], "https://a/x"),
            ("https://a/x?a=1&a=2&b=%20", [("a", "3 &")], "https://a/x?a=3%20%26&b=%20"),
            ("https://a/x?ai%6c=1", [("ail", "2"), ("new", "n")], "https://a/x?ail=2&new=n"),
            ("https://a/x#f", [("continue", "-||")], "https://a/x?continue=-%7C%7C"),
        ] as [(String, [(String, String?)], String)]
    )
    func query(_ page: String, _ changes: [(String, String?)], _ url: String) {
        #expect(URLReference(page).replacingQuery(changes.map { (name: $0.0, value: $0.1) }).text == url)
    }

    @Test("A mark is one, whatever follows it: servers and libcurl read bytes")
    func combiningMarks() throws {
        let url = URLReference("https://a.example/\u{301}@b.example/?\u{301}x=1&\u{301}page=2#\u{301}f")
        #expect(url.host == "a.example" && url.path == "/\u{301}@b.example/")
        #expect(url.query == "\u{301}x=1&\u{301}page=2" && url.fragment == "\u{301}f")
        #expect(try #require(URLOrigin(url)).host == "a.example")
        #expect(url.resolving("/\u{301}/../b").path == "/b")
        #expect(url.resolving("c").path == "/\u{301}@b.example/c")
        #expect(URLReference("https://a.example/d/\u{301}e").resolving("f").path == "/d/f")
        #expect(url.replacingQuery([("\u{301}x", nil)]).query == "\u{301}page=2")
    }

    @Test(
        "Where there is no host, no path becomes one when it is written down",
        arguments: [
            ("http:a/b", "/.//c", "http:/.//c"), ("m:n", "/a/..//x", "m:/.//x"),
            ("m:n", "x:/.//y", "x:/.//y"),
            ("", "./a:b", "./a:b"), ("https://h/", ".//c", "https://h//c"),
        ]
    )
    func written(base: String, reference: String, text: String) {
        let url = URLReference(base).resolving(reference)
        #expect(url.text == text && URLReference(url.text) == url)
    }

    @Test("Secrets go to the source's own origin, and to no other")
    func origin() throws {
        func origin(_ url: String) throws -> URLOrigin { try #require(URLOrigin(URLReference(url))) }
        let own = try origin("http://a.example/x")
        #expect(own == (try origin("HTTP://A.EXAMPLE.:80/y")))
        #expect(own.covers(try origin("https://a.example/")))
        #expect(!own.covers(try origin("https://a.example:8443/")))
        #expect(!own.covers(try origin("http://b.example/")))
        #expect(!(try origin("https://a.example/")).covers(own))
        for text in ["s3://b/", "file:///x", "https://", "https://a:x/", "https://a:70000/", "x"] {
            #expect(URLOrigin(URLReference(text)) == nil, "\(text)")
        }
        #expect(try origin("https://evil.example@a.example/").host == "a.example")
        #expect(try origin("https://[::1]:8080/").port == 8080)
    }

    @Test(
        "Link names the next page (RFC 8288)",
        arguments: [
            (["<https://a/2>; rel=next"], "https://a/2"),
            (["<a>; rel=\"prev\", <b>; rel=\"next last\""], "b"),
            (["<a>; title=\"x, <y>; rel=next\"; rel=self", "<b>;REL=NEXT"], "b"),
            (["<a>; rel=next; anchor=\"#x\""], nil), (["<a>; rel=self; rel=next"], nil),
            (["a; rel=next"], nil),
            (["<a; rel=next"], nil), (["<?page=2&a=1,2>; rel=\"n\\ext\""], "?page=2&a=1,2"), ([], nil),
        ] as [([String], String?)]
    )
    func link(_ fields: [String], _ target: String?) {
        #expect(LinkField.target(relation: "next", in: fields) == target)
    }
}
