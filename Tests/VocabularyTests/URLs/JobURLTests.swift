import Foundation
import TestSupport
import Testing
import Vocabulary

struct JobURLTests {
    @Test("A URL as a person gives it is sent percent-encoded, without its fragment")
    func encoding() throws {
        let url = try JobURL(" HTTPS://Example.org/Fl\u{E9}malle_(1) [2].jpg?a=b c#top\n")
        #expect(url.scheme == "https")
        #expect(url.host == "example.org")
        #expect(url.port == 443)
        #expect(url.text.allSatisfy { $0.isASCII })
        #expect(url.text.hasPrefix("https://"))
        #expect(!url.text.contains("#"))
        #expect(url.text.contains("Fl%C3%A9malle_(1)%20"))
    }

    @Test("What is encoded already is not encoded twice")
    func alreadyEncoded() throws {
        let url = try JobURL("http://example.org:8080/a%20b%2Fc.jpg")
        #expect(url.text == "http://example.org:8080/a%20b%2Fc.jpg")
        #expect(url.port == 8080)
        #expect(try JobURL(url.text) == url)
    }

    @Test(
        "A plain URL is taken as it is, with the parts that Foundation finds in it",
        arguments: [
            "http://example.org", "http://example.org/", "https://example.org?q=1",
            "http://127.0.0.1:8080/a.jpg",
            "https://img.example.org:443/a/b.jpg?w=1&h=2", "http://example.org/a:b@c/(d)*.jpg?/?",
            "http://example.org/%E9%2F%c3?%20", "http://example.org?%41",
            "http://example.org//a", "https://a-b.example.org:65535/x~y_z.jpg",
        ]
    )
    func plain(text: String) throws {
        let url = try JobURL(text)
        let parts = try #require(URLComponents(string: text))
        #expect(url.text == text && url.masked == text)
        #expect(url.scheme == parts.scheme)
        #expect(url.host == parts.host)
        #expect(url.port == parts.port ?? (parts.scheme == "https" ? 443 : 80))
        #expect(url.path == parts.percentEncodedPath)
    }

    @Test(
        "A password is masked for people, and only for them",
        arguments: [
            ("https://ann:s3cret@example.org/a.jpg", "https://ann:***@example.org/a.jpg"),
            // Bytes that are no UTF-8 (ISO 8859-1 has an ö at F6).
            ("https://ann:s%F6cret@example.org/a.jpg", "https://ann:***@example.org/a.jpg"),
            ("https://J%F6rg:s%F6cret@example.org/", "https://J%F6rg:***@example.org/"),
        ]
    )
    func password(text: String, masked: String) throws {
        let url = try JobURL(text)
        #expect(url.text == text)
        #expect(url.masked == masked)
    }

    @Test(
        "A user without a password may be a token, and is masked as well",
        arguments: [
            ("https://T0KEN@example.org/a.jpg", "https://***@example.org/a.jpg"),
            ("https://T0KEN:@example.org/a.jpg", "https://***@example.org/a.jpg"),
            ("https://:T0KEN@example.org/a.jpg", "https://:***@example.org/a.jpg"),
            ("https://T%F6KEN@example.org/a.jpg", "https://***@example.org/a.jpg"),
            ("https://T%F6KEN:@example.org/a.jpg", "https://***@example.org/a.jpg"),
            ("https://T%30KEN@example.org:8443?q=a@b", "https://***@example.org:8443?q=a@b"),
            ("https://@example.org/a.jpg", "https://@example.org/a.jpg"),
        ]
    )
    func token(text: String, masked: String) throws {
        let url = try JobURL(text)
        #expect(url.text == text)
        #expect(url.masked == masked)
        #expect(try JobURL("https://example.org").redirected(to: text).masked == masked)
    }

    @Test(
        "What can't be fetched is refused, with the reason",
        arguments: [
            ("", JobURL.Refusal.empty), ("  ", .empty), ("example.org/a.jpg", .noScheme),
            ("example.org:8080/a.jpg", .noScheme), ("/a.jpg", .noScheme),
            ("http://h/a.jpg http://h/b.jpg", .several), ("http://h/a\u{3000} HTTPS://h/b", .several),
            ("ftp://example.org/a.jpg", .scheme("ftp")), ("file:///etc/passwd", .scheme("file")),
            ("javascript:alert(1)", .scheme("javascript")), ("http://", .noHost), ("https:///a.jpg", .noHost),
            ("http://[]/a.jpg", .noHost),
            ("http://example.org/a\u{0}.jpg", .unparsable), ("http://example.org:99999/", .unparsable),
            ("http://example.org/" + String(repeating: "a", count: 9000), .tooLong),
            ("http://example.org/" + String(repeating: "\u{E9}", count: 4000), .tooLong),
            ("https://" + String(repeating: "0", count: 254), .hostTooLong),
            ("http://xn--a/", .unparsable),
        ]
    )
    func refused(text: String, refusal: JobURL.Refusal) {
        #expect(throws: refusal) { try JobURL(text) }
        #expect(!refusal.message.isEmpty)
    }

    @Test(
        "What is too long with the white space around it may have been cut, and is refused",
        arguments: [" ", "\n"]
    )
    func padded(blank: String) {
        let padding = String(repeating: blank, count: 8192)
        for text in ["http://example.org/a" + padding, padding + "http://example.org/a"] {
            #expect(throws: JobURL.Refusal.tooLong) { try JobURL(text) }
        }
    }

    @Test("Whatever is taken can be read again from what is kept, and is the same then")
    func readable() throws {
        let pieces = [
            "http://", "https://", "HTTP:", "//", "user", "user:pw@", "@", ":", "8080", ":0", "/", "?", "#",
            "%",
            "%2", "%2F", "%zz", "[", "]", "[::1]", "a", "B", "-", "_", ".", "..", "xn--", "xn--bcher-kva",
            "\u{E9}",
            "\u{DF}", "\u{4E2D}", "\u{AD}", "\u{130}", "\u{200B}", "\u{1F600}", " ", "\\", "^", "|", "{", "<",
            "\"",
            "'", "`", "+", "&", "=", "127.0.0.1", "0x7f.1", "example.org", "\u{FF0E}",
        ]
        var generator = SeededGenerator(seed: 20_261_121)
        for _ in 0..<20_000 {
            let words = (0..<Int.random(in: 1...9, using: &generator)).compactMap { _ in
                pieces.randomElement(using: &generator)
            }
            guard
                let url = try? JobURL(
                    "http" + (Bool.random(using: &generator) ? "s" : "") + "://" + words.joined()
                )
            else { continue }
            let again = try? JobURL(url.text)
            #expect(again == url, "\(words.joined()) became \(url.text)")
        }
    }

    @Test(
        "What is encoded in a name or a password stays as it is, whatever is beside it",
        arguments: [
            ("http://a%40b c:p%2F[x]@h/", "http://a%40b%20c:p%2F%5Bx%5D@h/"),
            ("http://a@b:c%3A@d@h/", "http://a%40b:c%3A%40d@h/"),
        ]
    )
    func authority(text: String, kept: String) throws { #expect(try JobURL(text).text == kept) }

    @Test("An IPv6 host loses its brackets, and keeps them in the text")
    func ipv6() throws {
        let url = try JobURL("http://[::1]:8080/a.jpg")
        #expect(url.host == "::1")
        #expect(url.hostKey == "::1:8080")
        #expect(url.text == "http://[::1]:8080/a.jpg")
    }

    @Test(
        "A host is known by one name, however it is spelled",
        arguments: [
            ("127.1", "127.0.0.1"), ("127.0.0.1.", "127.0.0.1"), ("2130706433", "127.0.0.1"),
            ("0x7f.1", "127.0.0.1"), ("0177.0.0.1", "127.0.0.1"), ("[::ffff:127.0.0.1]", "127.0.0.1"),
            ("[::FFFF:7f00:1]", "127.0.0.1"), ("[0:0:0:0:0:0:0:1]", "::1"),
            ("[2001:DB8:0:0::01]", "2001:db8::1"),
            ("Example.ORG.", "example.org"), ("example.org", "example.org"), ("localhost.", "localhost"),
            // No addresses.
            ("1.2.3.4.5", "1.2.3.4.5"), ("256.256.256.256", "256.256.256.256"),
            ("a.0x7f.example", "a.0x7f.example"),
            ("7-zip.org", "7-zip.org"), ("[::127.0.0.1]", "::127.0.0.1"),
        ]
    )
    func spellings(host: String, name: String) throws {
        let url = try JobURL("http://\(host)/a.jpg")
        #expect(url.hostName == name && url.hostKey == "\(name):80")
        #expect(url.isLoopback == ["127.0.0.1", "::1", "localhost"].contains(name))
        #expect(
            url.text.lowercased() == "http://\(host)/a.jpg".lowercased(),
            "it is asked for as it was given"
        )
    }

    @Test("A redirect is taken relative to where it came from")
    func redirects() throws {
        let url = try JobURL("https://example.org/a/b.jpg?x=1")
        #expect(try url.redirected(to: "c.jpg").text == "https://example.org/a/c.jpg")
        #expect(try url.redirected(to: "//cdn.example.org/d").text == "https://cdn.example.org/d")
        #expect(try url.redirected(to: "http://other.org/e f").text == "http://other.org/e%20f")
        #expect(try url.redirected(to: " e #f ").text == "https://example.org/a/e%20")
        #expect(throws: JobURL.Refusal.scheme("ftp")) { try url.redirected(to: "ftp://example.org/a") }
        #expect(throws: JobURL.Refusal.empty) { try url.redirected(to: "") }
        #expect(throws: JobURL.Refusal.tooLong) {
            try url.redirected(to: "/a" + String(repeating: " ", count: 8192))
        }
    }

    @Test(
        "A reference is resolved as RFC 3986 has it (§5.4)",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
            ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("..g", "http://a/b/c/..g"),
            ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            // The slash of the base, whatever mark follows it.
            ("\u{301}g", "http://a/b/c/%CC%81g"),
        ]
    )
    func references(reference: String, target: String) throws {
        #expect(try JobURL("http://a/b/x/../c/e/..?q").redirected(to: "../g").text == "http://a/b/g")
        #expect(try JobURL("http://a/b/c/d;p?q").redirected(to: reference).text == target)
    }
}
