import Testing
import Vocabulary

@Suite("The parts of URLs, which are the same for all that take one apart")
struct URLPartsTests {
    @Test("A URL is split where RFC 3986 says, by bytes")
    func parts() {
        let parts = URLParts("HTTPS://u:p@[::1]:8080/a/b?c=d?#e#f")
        #expect(parts.httpScheme == "https" && parts.scheme == "HTTPS")
        #expect(parts.path == "/a/b" && parts.query == "c=d?" && parts.fragment == "e#f")
        let authority = parts.authority.map(URLAuthority.init)
        #expect(authority?.userInformation == "u:p" && authority?.host == "[::1]")
        #expect(authority?.hostName == "::1" && authority?.port == "8080")
        // A slash is one, whatever combines with it.
        #expect(URLParts("http://h/\u{301}a").authority == "h")
    }

    @Test("A user may have an at sign, and a port may be empty")
    func authorities() {
        let odd = URLAuthority("a@b@Example.org:")
        #expect(odd.userInformation == "a@b" && odd.hostName == "example.org" && odd.port == "")
        let plain = URLAuthority("h")
        #expect(plain.userInformation == nil && plain.host == "h" && plain.port == nil)
    }

    @Test(
        "Only what is fetched over HTTP has an http scheme",
        arguments: ["mailto:a", "s3://b/k", "//h/a", "http:a"]
    )
    func others(text: String) { #expect(URLParts(text).httpScheme == nil) }

    @Test("Dots go from absolute paths and from relative ones")
    func dots() {
        #expect(URLParts.withoutDots("/a/./b/../c/..") == "/a/")
        #expect(URLParts.withoutDots("../a/b/..") == "a/")
        #expect(URLParts.withoutDots("/../..") == "/")
    }
}
