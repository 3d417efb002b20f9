import JobCore
import Testing

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
}
