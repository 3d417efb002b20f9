import JobModel
import Testing
import Vocabulary

@testable import JobCore

@Suite("The signs of a portal")
struct PortalSignTests {
    @Test(
        "Pages of three sites show one, or a page of neither of two, or 511, and those of one owner don't",
        arguments: [
            ([], false), ([("a.example:80", "http://a.example/gone")], false),
            ([("a.example:80", nil)], true),
            // Each its own page, in the place of the picture.
            (
                [("a.example:80", "http://a.example/1"), ("b.example.org:80", "http://b.example.org/1")],
                false
            ),
            (
                [
                    ("a.example:80", "http://a.example/1"), ("b.example.org:80", "http://b.example.org/1"),
                    ("192.0.2.7:8080", "http://192.0.2.7:8080/1"),
                ], true
            ),
            (
                [
                    ("c1.a.example:80", "http://c1.a.example/1"),
                    ("c2.a.example:80", "http://c2.a.example/1"),
                    ("c3.a.example:80", "http://c3.a.example/1"),
                ], false
            ),
            // The same page.
            (
                [
                    ("a.example:80", "https://login.portal.test/in"),
                    ("b.example.org:80", "https://login.portal.test/in"),
                ], true
            ),
            (
                [
                    ("c1.a.example:80", "https://www.a.example/gone"),
                    ("c2.a.example:80", "https://www.a.example/gone"),
                ], false
            ),
            // One has moved to the other.
            (
                [
                    ("a.example:80", "http://b.example.org/gone"),
                    ("b.example.org:80", "http://b.example.org/gone"),
                ],
                false
            ),
        ] as [([(String, String?)], Bool)]
    )
    func shows(pages: [(String, String?)], isPortal: Bool) {
        #expect(PortalSign.showPortal(pages.map { PortalSign(host: $0.0, address: $0.1) }) == isPortal)
    }

    @Test(
        "A page may be a portal's where it was asked for over http, or a redirect that isn't followed, and 511",
        arguments: [
            (
                .unexpectedContentType, "text/html; charset=utf-8", "http://a.example/1",
                "http://a.example/1", true
            ),
            (.unexpectedContentType, "Text/HTML", "http://a.example/1", "https://login.test/", true),
            // The host's own word, over https.
            (.unexpectedContentType, "text/html", "http://a.example/1", "https://a.example/1", false),
            (.unexpectedContentType, "text/html", "https://a.example/1", "https://login.test/", false),
            (.unexpectedContentType, "text/plain", "http://a.example/1", "http://a.example/1", false),
            (.unexpectedContentType, nil, "http://a.example/1", "http://a.example/1", false),
            (.unexpectedContentType, "text/html", "http://127.0.0.1/1", "http://127.0.0.1/1", false),
            (.refusedRedirect, nil, "http://a.example/1", "http://10.0.0.1/login", true),
            (.refusedRedirect, nil, "http://a.example/1", "http://a.example/2", false),
            (.http(511), nil, "http://a.example/1", "http://a.example/1", true),
            (.http(511), nil, "https://a.example/1", "https://a.example/1", false),
            (.http(404), "text/html", "http://a.example/1", "http://a.example/1", false),
        ] as [(FailureCode, String?, String, String, Bool)]
    )
    func mayBe(code: FailureCode, type: String?, home: String, current: String, isSign: Bool) throws {
        let (home, current) = (try JobURL(home), try JobURL(current))
        #expect(PortalSign.mayBe(code, type: type, askedOf: home, from: current) == isSign)
    }
}
