import NIOHTTP1
import Testing

@testable import facefetch_gallery

@Suite("The plain form of a request's head")
struct RequestTargetTests {
    private func plain(
        _ target: String,
        hosts: [String] = ["own:1"],
        _ version: HTTPVersion = .http1_1,
        connection: String? = nil
    ) -> (target: String, hosts: [String], connection: [String]) {
        var headers = HTTPHeaders(hosts.map { ("Host", $0) })
        if let connection { headers.add(name: "Connection", value: connection) }
        let head = RequestTarget.plain(
            HTTPRequestHead(version: version, method: .GET, uri: target, headers: headers)
        )
        return (head.uri, head.headers["host"], head.headers["connection"])
    }

    @Test("a path with one Host stays as it is", arguments: ["/", "/a?b=http://c/", "//a", "/:80"])
    func paths(path: String) { #expect(plain(path) == (path, ["own:1"], [])) }

    @Test("several hosts are joined into what is none; a missing one stays missing")
    func hosts() {
        #expect(plain("/", hosts: ["own:1", "evil"]).hosts == ["own:1,evil"])
        #expect(plain("/", hosts: ["own:1", "own:1"]).hosts == ["own:1,own:1"])
        #expect(plain("http://own:1/", hosts: ["own:1", "evil"]).hosts == ["own:1,evil"])
        #expect(plain("http://own:1/", hosts: []).hosts == [])
    }

    @Test(
        "the host of an absolute target is the one that is asked",
        arguments: [
            ("http://evil/a?b", "/a?b", "evil"), ("HTTP://own:1", "/", "own:1"),
            ("https://evil:2?q", "/?q", "evil:2"),
            ("http://own:1@evil/", "/", "own:1@evil"), ("http://evil#/", "/#/", "evil"),
            ("http://own:1\\@evil/", "/\\@evil/", "own:1"), ("http:///a", "/a", ""),
        ]
    )
    func absolute(target: String, path: String, host: String) {
        #expect(plain(target) == (path, [host], []))
    }

    @Test(
        "any other target is none",
        arguments: ["*", "own:1", "evil:/v1/status", "ftp://own:1/", "", "v1/status", "http:/a", "http:a"]
    )
    func none(target: String) { #expect(plain(target).target == RequestTarget.none) }

    @Test("that a connection ends is said in one word")
    func connections() {
        #expect(plain("/", connection: "Close").connection == ["close"])
        #expect(plain("/", connection: "TE, close").connection == ["close"])
        #expect(plain("/", connection: "keep-alive").connection == ["keep-alive"])
        #expect(plain("/", .http1_0).connection == ["close"])
        #expect(plain("/", .http1_0, connection: "keep-alive").connection == ["keep-alive"])
    }
}
