import Testing

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
}
