import HTTPTypes
import Testing

@testable import facefetch_gallery

@Suite("Who may ask a gallery for what")
struct GalleryAdmissionTests {
    private let session = Session(port: 8191)

    private var rules: GalleryAdmission.Rules {
        GalleryAdmission.Rules(hosts: OwnHosts(port: 8191), session: session, files: ["/", "/app.js"])
    }

    private var cookie: String { String(session.setCookie.prefix { $0 != ";" }) }

    /// A head with these fields, from the gallery's page unless something else is said.
    ///
    /// Paths of the daemon stand behind the session's prefix, or behind another one.
    private func head(
        _ method: HTTPRequest.Method,
        _ path: String,
        behind prefix: String? = nil,
        host: String = "127.0.0.1:8191",
        site: String? = "same-origin",
        _ fields: [HTTPField.Name: String] = [:]
    ) -> HTTPRequest {
        let isInside = path.hasPrefix("/v1/") || path.hasPrefix(ArchiveRequest.path)
        let target = (isInside ? prefix ?? session.prefix : "") + path
        var head = HTTPRequest(method: method, scheme: "http", authority: host, path: target)
        head.headerFields[.secFetchSite] = site
        for (name, value) in fields { head.headerFields[name] = value }
        return head
    }

    private func refusal(_ head: HTTPRequest) -> Refusal? {
        do throws(Refusal) {
            _ = try GalleryAdmission(head, rules)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a Host that isn't the gallery's own is refused, whatever else is right",
        arguments: [
            "evil.example", "evil.example:8191", "127.0.0.1", "127.0.0.1:8192", "localhost.evil.example:8191",
            "0.0.0.0:8191", "[::]:8191", "127.0.0.1:08191", "", "x.localhost:8191",
        ]
    )
    func otherHosts(host: String) {
        #expect(refusal(head(.get, "/", host: host)) == .otherHost)
        #expect(refusal(head(.get, "/v1/status", host: host, [.cookie: cookie])) == .otherHost)
    }

    @Test(
        "a request without one Host and a path is malformed",
        arguments: [
            (nil, "/"), ("127.0.0.1:8191,evil.example", "/"), ("127.0.0.1:8191, 127.0.0.1:8191", "/"),
            ("user@127.0.0.1:8191", "/"), ("127.0.0.1:8191/", "/"), ("127.0.0.1:8191", "*"),
            ("127.0.0.1:8191", ""),
            ("127.0.0.1:8191", nil),
        ] as [(String?, String?)]
    )
    func malformed(host: String?, path: String?) {
        var head = head(.get, "/", [.cookie: cookie])
        head.authority = host
        head.path = path
        #expect(refusal(head) == .malformed)
    }

    @Test(
        "the names of this machine are the gallery's",
        arguments: ["127.0.0.1:8191", "localhost:8191", "LOCALHOST:8191", "[::1]:8191"]
    )
    func ownHosts(host: String) throws {
        #expect(try GalleryAdmission(head(.get, "/", host: host), rules) == .page("/"))
    }

    @Test("with --host that name is one, too, with its port or that of a server in front")
    func namedHost() {
        let hosts = OwnHosts(port: 8191, name: "Pictures.example.org")
        #expect(hosts.have("pictures.example.org") && hosts.have("pictures.example.org:8191"))
        #expect(!hosts.have("pictures.example.org:80") && !hosts.have("example.org") && !hosts.have(nil))
    }

    @Test("the page is for everybody; the daemon's answers take the cookie")
    func cookies() throws {
        #expect(try GalleryAdmission(head(.get, "/app.js"), rules) == .page("/app.js"))
        #expect(refusal(head(.get, "/v1/status")) == .noCookie)
        #expect(refusal(head(.get, "/v1/status", [.cookie: "facefetch-8191=00"])) == .noCookie)
        #expect(refusal(head(.get, "/v1/status", [.cookie: cookie + "0"])) == .noCookie)
        // A cookie of another gallery on this machine comes along.
        let both = "facefetch-8192=ab; \(cookie); theme=dark"
        #expect(refusal(head(.get, "/v1/status?x=1", [.cookie: both])) == nil)
        // Browsers may send several fields over HTTP/1.1, too.
        #expect(
            refusal(head(.get, "/v1/status", [.cookie: cookie.replacing("8191", with: "8192")])) == .noCookie
        )
    }

    /// One request for each thing that can be read.
    private static let reading = [
        "/v1/status", "/v1/jobs?limit=5", "/v1/hosts", "/v1/jobs/1", "/v1/jobs/1/document",
        "/v1/jobs/1/similar",
        "/v1/jobs/1/picture/thumb", "/v1/jobs/1/picture/medium", "/v1/jobs/1/picture/large", "/v1/batches",
        "/v1/batches/1", "/v1/documents/index", "/v1/events?after=1", "/v1/sources", "/v1/sources/a",
        "/pictures.zip?ids=1",
    ]

    @Test("the cookie alone, which goes to every port of the host, reads nothing", arguments: reading)
    func prefixes(path: String) throws {
        let fields: [HTTPField.Name: String] = [.cookie: cookie]
        let wrong = [
            "", "/s", "/s/", "/s/" + Secret().text, Session(port: 8191).prefix, session.prefix + "0",
        ]
        for method in [HTTPRequest.Method.get, .head] where method == .get || !path.hasPrefix("/v1/events") {
            for prefix in wrong {
                #expect(refusal(head(method, path, behind: prefix, fields)) == .badPrefix, "\(prefix)")
            }
            #expect(refusal(head(method, path)) == .noCookie)
            #expect(refusal(head(method, path, fields)) == nil)
        }
        if case .forward(_, let target) = try GalleryAdmission(head(.get, path, fields), rules) {
            #expect(target == path)
        }
    }

    @Test("the way in to reading is no way to the page's files, and none around the list of routes")
    func behindThePrefix() {
        let fields: [HTTPField.Name: String] = [.cookie: cookie]
        let (prefix, other) = (session.prefix, Session(port: 8191).prefix)
        for path in [
            "", "/", "/app.js", "/session", "/v1/metrics", "/v1/jobs/../status", prefix + "/v1/status",
        ] {
            #expect(refusal(head(.get, prefix + path, fields)) == .notFound, "\(path)")
        }
        #expect(refusal(head(.get, "\(other)/../\(prefix.dropFirst(3))/v1/status", fields)) == .badPrefix)
        let right = fields.merging([.secret: session.secret.text]) { $1 }
        #expect(refusal(head(.post, "/v1/jobs/1/pause", behind: "", right)) == .badPrefix)
        #expect(refusal(head(.post, "/v1/jobs/1/pause", behind: other, right)) == .badPrefix)
    }

    @Test("what changes something takes the second secret, too")
    func secrets() {
        let fields: [HTTPField.Name: String] = [.cookie: cookie]
        #expect(refusal(head(.post, "/v1/jobs/1/pause", fields)) == .badSecret)
        #expect(refusal(head(.post, "/v1/jobs/1/pause", fields.merging([.secret: "0"]) { $1 })) == .badSecret)
        let right = fields.merging([.secret: session.secret.text]) { $1 }
        #expect(refusal(head(.post, "/v1/jobs/1/pause", right)) == nil)
        #expect(refusal(head(.post, "/v1/jobs/1/pause", [.secret: session.secret.text])) == .noCookie)
    }

    @Test(
        "another site can change nothing, and read nothing",
        arguments: ["cross-site", "same-site", "", "SAME-ORIGIN"]
    )
    func otherSites(site: String) {
        let fields: [HTTPField.Name: String] = [.cookie: cookie, .secret: session.secret.text]
        #expect(refusal(head(.post, "/v1/jobs/1/pause", site: site, fields)) == .otherSite)
        #expect(refusal(head(.get, "/v1/status", site: site, fields)) == .otherSite)
        #expect(refusal(head(.get, "/app.js", site: site, fields)) == .otherSite)
        #expect(refusal(head(.get, "/", site: site)) == .otherSite)
        #expect(refusal(head(.post, "/session", site: site)) == .otherSite)
    }

    @Test("a link to the page may be followed from elsewhere, but no other, and not into a frame")
    func followedLink() {
        let link: [HTTPField.Name: String] = [.secFetchMode: "navigate", .secFetchDest: "document"]
        #expect(refusal(head(.get, "/", site: "cross-site", link)) == nil)
        #expect(refusal(head(.get, "/app.js", site: "cross-site", link)) == .otherSite)
        let withCookie = link.merging([.cookie: cookie]) { $1 }
        #expect(refusal(head(.get, "/v1/jobs", site: "cross-site", withCookie)) == .otherSite)
        let frame: [HTTPField.Name: String] = [.secFetchMode: "navigate", .secFetchDest: "iframe"]
        #expect(refusal(head(.get, "/", site: "cross-site", frame)) == .otherSite)
    }

    @Test("a browser that doesn't say whose page it is must send the gallery's own Origin to change anything")
    func oldBrowsers() {
        let fields: [HTTPField.Name: String] = [.cookie: cookie, .secret: session.secret.text]
        func post(_ origin: String?) -> Refusal? {
            var all = fields
            all[.origin] = origin
            return refusal(head(.post, "/v1/jobs/1/pause", site: nil, all))
        }
        #expect(post(nil) == .otherSite)
        #expect(post("null") == .otherSite)
        #expect(post("http://127.0.0.1:8192") == .otherSite)
        #expect(post("http://evil.example") == .otherSite)
        #expect(post("http://127.0.0.1:8191") == nil)
        // Looking needs none, as a person with curl has none; but a wrong one is wrong.
        #expect(refusal(head(.get, "/v1/status", site: nil, [.cookie: cookie])) == nil)
        let other: [HTTPField.Name: String] = [.cookie: cookie, .origin: "http://evil.example"]
        #expect(refusal(head(.get, "/v1/status", site: nil, other)) == .otherSite)
        #expect(refusal(head(.post, "/v1/jobs/1/pause", other.merging(fields) { $1 })) == .otherSite)
    }

    @Test("a post out of nothing, as an address bar can't make it, is refused")
    func postOfNobody() {
        let fields: [HTTPField.Name: String] = [.cookie: cookie, .secret: session.secret.text]
        #expect(refusal(head(.post, "/v1/jobs/1/pause", site: "none", fields)) == .otherSite)
        #expect(refusal(head(.get, "/v1/status", site: "none", fields)) == nil)
    }
}
