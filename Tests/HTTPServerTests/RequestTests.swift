import HTTPServer
import HTTPTypes
import Testing

@Suite("The target of a request")
struct RequestTests {
    private static func request(_ target: String?, _ fields: HTTPFields = [:]) -> Request {
        Request(
            HTTPRequest(method: .get, scheme: nil, authority: nil, path: target, headerFields: fields)
        )
    }

    @Test(
        "has a path, and behind the first question mark a query",
        arguments: [
            ("/", "/", nil), ("/a/b", "/a/b", nil), ("/a?", "/a", ""), ("/a?b=c", "/a", "b=c"),
            ("/a?b=?c", "/a", "b=?c"), ("/a?b#c", "/a", "b"), ("/a%3Fb", "/a%3Fb", nil), ("?a", "/", "a"),
            ("", "/", nil), (nil, "/", nil), ("*", "*", nil), ("/a?\u{301}b#\u{301}", "/a", "\u{301}b"),
        ] as [(String?, String, String?)]
    )
    func parts(target: String?, path: String, query: String?) {
        let request = Self.request(target)
        #expect(request.path == path && request.query == query)
    }

    @Test(
        "may be absolute, and name the host itself",
        arguments: [
            ("http://localhost/v1/status", "localhost", "/v1/status"),
            ("HTTPS://Example.org:8443/a?b=c", "Example.org:8443", "/a?b=c"),
            ("http://localhost", "localhost", "/"), ("http://localhost?a", "localhost", "/?a"),
            ("http://localhost@example.org/", "localhost@example.org", "/"),
            ("http://localhost\\.example.org/", "localhost", "/\\.example.org/"), ("http://", "", "/"),
            ("http://localhost/\u{301}@example.org/", "localhost", "/\u{301}@example.org/"),
        ]
    )
    func absolute(target: String, host: String, path: String) throws {
        let target = try #require(AbsoluteTarget(target))
        #expect(target.host == host && target.path == path)
    }

    @Test("is not absolute in any other form", arguments: ["", "/", "/http://a/", "*", "a:80", "ftp://a/b"])
    func other(target: String) { #expect(AbsoluteTarget(target) == nil) }

    @Test("A request has no body unless it announces one")
    func announcesBody() {
        #expect(Self.request("/").hasNoBody)
        #expect(Self.request("/", [.contentLength: "0"]).hasNoBody)
        #expect(!Self.request("/", [.contentLength: "1"]).hasNoBody)
        #expect(!Self.request("/", [.contentLength: "x"]).hasNoBody)
        #expect(!Self.request("/", [.transferEncoding: "chunked"]).hasNoBody)
    }
}
