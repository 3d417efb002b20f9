import HTTPTypes
import Testing

@testable import facefetch_gallery

@Suite("What a gallery passes on")
struct ForwardedRouteTests {
    @Test(
        "what the page needs is passed on",
        arguments: [
            ("GET", "/v1/status"), ("GET", "/v1/jobs"), ("HEAD", "/v1/jobs"), ("GET", "/v1/jobs/7"),
            ("PATCH", "/v1/jobs/7"), ("POST", "/v1/jobs/7/pause"), ("POST", "/v1/jobs/7/detect"),
            ("POST", "/v1/jobs/retry"), ("POST", "/v1/jobs/forget"), ("GET", "/v1/hosts"),
            ("POST", "/v1/hosts/release"),
            ("POST", "/v1/batches"), ("GET", "/v1/batches"), ("GET", "/v1/batches/3"),
            ("POST", "/v1/batches/3/cancel"), ("GET", "/v1/events"), ("POST", "/v1/detection/hold"),
            ("POST", "/v1/detection/release"), ("GET", "/v1/sources"), ("GET", "/v1/sources/mars"),
            ("POST", "/v1/sources/mars/poll"), ("POST", "/v1/sources/m-1.x_y/more"),
            ("PUT", "/v1/attention/tab-1"), ("GET", "/v1/documents/index"),
            ("GET", "/v1/jobs/7/picture/thumb"), ("GET", "/v1/jobs/7/picture/medium"),
            ("GET", "/v1/jobs/7/picture/large"), ("GET", "/v1/jobs/7/document"),
            ("GET", "/v1/jobs/7/similar"),
        ]
    )
    func passed(method: String, path: String) throws {
        let method = try #require(HTTPRequest.Method(rawValue: method))
        #expect(ForwardedRoute(method, path: path) != nil)
    }

    @Test(
        "nothing else is, however it is written",
        arguments: [
            ("GET", "/v1/metrics"), ("GET", "/v1/openapi.json"), ("POST", "/v1/hosts"),
            ("POST", "/v1/sources"), ("PUT", "/v1/sources/mars"), ("DELETE", "/v1/sources/mars"),
            ("POST", "/v1/sources/try"), ("DELETE", "/v1/jobs/7/document"),
            ("GET", "/v1/jobs/7/picture/huge"), ("POST", "/v1/jobs/7/fingerprint"),
            ("GET", "/v1/jobs/duplicates"),
            ("GET", "/v1/jobs/../metrics"), ("GET", "/v1/sources/.."), ("GET", "/v1/sources/%2e%2e"),
            ("GET", "/v1//jobs"), ("GET", "/v1/jobs/"), ("GET", "/v1/jobs/-1"), ("GET", "/v1/jobs/7x"),
            ("POST", "/v1/jobs/7/forget"), ("POST", "/v1/batches/3/renew"), ("GET", "/v2/jobs"), ("GET", ""),
            ("HEAD", "/v1/events"), ("CONNECT", "/v1/jobs"), ("OPTIONS", "/v1/jobs"),
            ("GET", "/v1/sources/mars/pages"), ("GET", "/v1/jobs/77777777777777777777"),
        ]
    )
    func kept(method: String, path: String) throws {
        let method = try #require(HTTPRequest.Method(rawValue: method))
        #expect(ForwardedRoute(method, path: path) == nil)
    }

    @Test("a new head goes to the daemon: no Origin, no Cookie, no secret, and its own Host")
    func newHead() {
        var head = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "127.0.0.1:1",
            path: "/s/0/v1/batches?a=b"
        )
        for (name, value) in [
            (HTTPField.Name.origin, "http://127.0.0.1:1"), (.cookie, "a=b"), (.secret, "s"),
            (.contentType, "application/json"), (.idempotencyKey, "k"), (.ifNoneMatch, "\"t\""),
        ] {
            head.headerFields[name] = value
        }
        let passed = PassedFields.request(head, target: "/v1/batches?a=b")
        #expect(passed.authority == "localhost" && passed.path == "/v1/batches?a=b")
        let names = Set(passed.headerFields.map(\.name.canonicalName))
        #expect(names == ["content-type", "idempotency-key", "if-none-match", "connection"])
    }

    @Test("a document has a policy of its own; pictures are kept, and asked for each time whether they hold")
    func newAnswer() throws {
        func answer(_ path: String, _ tag: String? = nil) throws -> HTTPFields {
            var head = HTTPResponse(status: .ok)
            head.headerFields[.setCookie] = "daemon=1"
            head.headerFields[.location] = "/v1/batches/1"
            head.headerFields[.eTag] = tag
            let route = try #require(ForwardedRoute(.get, path: path))
            return PassedFields.response(head, for: route).headerFields
        }
        let document = try answer("/v1/jobs/1/document")
        #expect(document[.contentSecurityPolicy] == "default-src 'none'; sandbox")
        #expect(document[.cacheControl] == "no-store" && document[.setCookie] == nil)
        #expect(document[.location] == nil && document[.constant("Referrer-Policy")] == "no-referrer")
        #expect(try answer("/v1/jobs/1/picture/thumb", "\"t\"")[.cacheControl] == "no-cache")
        #expect(try answer("/v1/documents/index", "\"t\"")[.cacheControl] == "no-cache")
        let status = try answer("/v1/status")
        #expect(status[.cacheControl] == "no-store")
        #expect(status[.contentSecurityPolicy] == PageHeaders.policy)
    }
}
