import JobCore
import JobModel
import Testing
import Vocabulary

@testable import CurlTransfer

@Suite("A trail of redirects")
struct RedirectTrailTests {
    @Test("ends with an error past its limit")
    func limit() throws {
        let policy = TransferPolicy(maximumRedirects: 3)
        var trail = RedirectTrail(from: try JobURL("http://example.org/0"))
        for index in 1...3 { try trail.follow(JobURL("http://example.org/\(index)"), policy: policy) }
        let failure = #expect(throws: JobFailure.self) {
            try trail.follow(JobURL("http://example.org/4"), policy: policy)
        }
        #expect(failure?.code == .tooManyRedirects)
        #expect(trail.count == 3)
    }

    @Test("ends with an error where it comes back to itself")
    func circle() throws {
        let first = try JobURL("http://example.org/0")
        var trail = RedirectTrail(from: first)
        try trail.follow(JobURL("http://example.org/1"), policy: TransferPolicy())
        let failure = #expect(throws: JobFailure.self) { try trail.follow(first, policy: TransferPolicy()) }
        #expect(failure?.code == .tooManyRedirects)
    }

    @Test("is at home only under the first scheme, host and port")
    func home() throws {
        var trail = RedirectTrail(from: try JobURL("https://example.org/0"))
        #expect(trail.isAtHome)
        try trail.follow(JobURL("https://example.org/1"), policy: TransferPolicy())
        #expect(trail.isAtHome)
        for other in ["http://example.org/2", "https://example.org:444/2", "https://cdn.example.org/2"] {
            var away = trail
            try away.follow(JobURL(other), policy: TransferPolicy())
            #expect(!away.isAtHome)
        }
    }

    @Test("keeps the credentials of a URL within its own scheme, host and port, and takes none anywhere else")
    func credentials() throws {
        func follow(_ targets: String..., from first: String) throws -> String {
            var trail = RedirectTrail(from: try JobURL(first))
            for target in targets {
                try trail.follow(trail.current.redirected(to: target), policy: TransferPolicy())
            }
            return trail.current.text
        }
        let home = "http://u:p@example.org/a/1"
        #expect(try follow("2", from: home) == "http://u:p@example.org/a/2")
        #expect(try follow("http://example.org/2", from: home) == "http://u:p@example.org/2")
        #expect(try follow("http://EXAMPLE.org:80/2?q=@", from: home) == "http://u:p@EXAMPLE.org:80/2?q=@")
        #expect(try follow("//example.org/2", from: home) == "http://u:p@example.org/2")
        for away in [
            "https://example.org/2", "http://example.org:8080/2", "http://www.example.org/2",
            "http://example.org.:80/2",
            "http://example.org@other.org/2",
        ] {
            #expect(try follow(away, from: home) == away)
            #expect(try follow(away, "3", from: home).contains("u:p") == false)
            // Back at home they are its own again, as a job's header fields are.
            #expect(try follow(away, "http://example.org/3", from: home) == "http://u:p@example.org/3")
        }
        // Whoever brings some has those, and they are kept in turn.
        #expect(try follow("http://x:y@example.org/2", from: home) == "http://x:y@example.org/2")
        #expect(
            try follow("http://x:y@example.org/2", "http://example.org/3", from: home)
                == "http://x:y@example.org/3"
        )
        #expect(
            try follow("http://x:y@other.org/2", "http://other.org/3", from: home) == "http://x:y@other.org/3"
        )
        #expect(
            try follow("http://TOKEN@[::1]:8/2", "http://[::1]:8/3", from: home) == "http://TOKEN@[::1]:8/3"
        )
    }

    @Test("keeps them where plain http is upgraded, and masks them in what it says")
    func credentialsUpgraded() throws {
        let policy = TransferPolicy(plainHTTP: .upgrade)
        var trail = RedirectTrail(from: try policy.permitted(JobURL("http://u:p@example.org/1")))
        try trail.follow(JobURL("http://example.org/2"), policy: policy)
        #expect(trail.current.text == "https://u:p@example.org/2")
        let failure = #expect(throws: JobFailure.self) {
            try trail.follow(JobURL("https://example.org/1"), policy: policy)
        }
        #expect(
            failure?.message.contains("u:***@example.org/1") == true
                && failure?.message.contains("u:p") == false
        )
    }

    @Test("names a target in part where a server made it long")
    func longTarget() throws {
        let long = String(repeating: "x", count: 8000)
        var trail = RedirectTrail(from: try JobURL("http://example.org/\(long)"))
        #expect {
            try trail.follow(trail.current, policy: TransferPolicy())
        } throws: { error in
            let message = (error as? JobFailure)?.message ?? ""
            return message.utf8.count <= 500 && message.hasSuffix("comes twice")
        }
    }

    @Test(
        "takes a host's secrets along by https, and by http only from where it gets them by itself",
        arguments: [
            (["https://a.example/"], true), (["http://a.example/"], true), (["http://a.example:81/"], true),
            (["https://A.example./"], true), (["http://b.example/", "http://a.example./"], false),
            (["http://b.example/", "https://a.example/"], true),
            (["http://b.example/", "http://a.example/"], false),
            (["http://b.example/", "https://a.example/", "http://a.example/"], false),
            (["https://a.example/", "http://a.example/"], false),
            (["http://a.example/", "http://b.example/", "http://a.example/2"], true),
            (["http://x.own.example/", "http://y.own.example/"], true),
            (["http://b.example/", "http://y.own.example/"], false),
            (["http://b.example/", "http://127.0.0.1:8/"], true), (["http://b.example/"], false),
        ]
    )
    func secretsOfHosts(_ urls: [String], _ areSent: Bool) throws {
        let secrets = HostNames([
            "a.example": HostCredentials(fields: [try RequestHeader(name: "X-A", value: "1")]),
            "*.own.example": HostCredentials(fields: [try RequestHeader(name: "X-Own", value: "1")]),
            "127.0.0.1": HostCredentials(fields: [try RequestHeader(name: "X-Here", value: "1")]),
        ])
        var trail = RedirectTrail(from: try JobURL(urls[0]))
        for url in urls.dropFirst() { try trail.follow(JobURL(url), policy: TransferPolicy()) }
        #expect((secrets.due(on: trail) != nil) == areSent)
    }
}
