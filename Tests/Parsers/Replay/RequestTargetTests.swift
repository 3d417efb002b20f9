import JobModel
import TestSupport
import Testing
import Vocabulary

@Suite("What is asked for at a URL")
struct RequestTargetTests {
    /// Pieces of what people paste: blanks, brackets, pipes, braces, quotes, letters beyond ASCII, and percent
    /// signs of every kind.
    private static let pieces = [
        " ", "[", "]", "|", "{", "}", "\"", "'", "<", ">", "\\", "^", "`", "%", "%2", "%zz", "%%", "%25",
        "%20", "%5B", "%2f", "%2F", "%C3%A9", "%E9", "%00", "\u{E9}", "\u{4E2D}", "\u{1F600}", "e\u{301}",
        "\u{A0}", "a", "B", "7", "f", "-", "_", "~", "!", "$", "&", "(", ")", "*", "+", ",", ";", "=", ":",
        "@",
        ".", "/", "Photo",
    ]

    /// A path or a query of such pieces.
    private static func text(_ generator: inout SeededGenerator, _ more: [String] = []) -> String {
        let all = pieces + more
        return (0..<Int.random(in: 0...12, using: &generator))
            .compactMap { _ in all.randomElement(using: &generator) }.joined()
    }

    @Test("is the same bytes, decoded, as curl asks for")
    func asCurl() throws {
        var generator = SeededGenerator(seed: 20_261_126)
        var compared = 0
        for _ in 0..<30_000 {
            let query = Bool.random(using: &generator) ? "?" + Self.text(&generator, ["?"]) : ""
            let given = "http://example.org/" + Self.text(&generator) + query
            // White space at the end is none of the URL.
            guard given.last?.isWhitespace == false,
                let curls = RequestTarget([(Array(given.utf8), true)])
            else { continue }
            let url = try JobURL(given)
            #expect(url.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            let ours = try #require(
                RequestTarget([(Array(url.text.utf8), false)]),
                "\(given) became \(url.text)"
            )
            #expect(ours == curls, "\(given) became \(url.text)")
            compared += 1
        }
        #expect(compared > 20_000)
    }

    @Test("is the same bytes, decoded, as curl follows a redirect to")
    func redirects() throws {
        var generator = SeededGenerator(seed: 20_261_127)
        var compared = 0
        for _ in 0..<30_000 {
            let base = "http://example.org/a/b%20c/d.jpg?" + (Bool.random(using: &generator) ? "x=%5B1]" : "")
            let start = ["/", "", "e", "../", "../../", "?", "e?", "http://example.org/", "//example.org/"]
            var location = (start.randomElement(using: &generator) ?? "") + Self.text(&generator)
            // What curl does with these is its own: it takes a blank in front for nothing, and any word before
            // a colon for a scheme.
            while let first = location.first, " \u{A0}".contains(first) { location.removeFirst() }
            guard location.last?.isWhitespace == false,
                location.prefix(while: { !"/?".contains($0) }).firstIndex(of: ":") == nil
                    || location.hasPrefix("http://")
            else { continue }
            // Of an empty segment curl takes the slash for the end of `..` before it.
            if location.hasPrefix("."), location.contains("//") { continue }
            let from = try JobURL(base)
            let redirects = [(bytes: Array(from.text.utf8), encodes: false), (Array(location.utf8), true)]
            guard let curls = RequestTarget(redirects) else { continue }
            guard let target = try? from.redirected(to: location) else {
                #expect(location.hasPrefix("//"), "\(location) is refused")
                continue
            }
            let ours = try #require(RequestTarget([(Array(target.text.utf8), false)]))
            #expect(ours == curls, "\(location) from \(from.text) became \(target.text)")
            compared += 1
        }
        #expect(compared > 15_000)
    }

    @Test(
        "is not encoded twice, whatever else is in it",
        arguments: [
            ("http://h/My%20Photo%20[1].jpg", "/My%20Photo%20%5B1%5D.jpg", "My Photo [1].jpg"),
            ("http://h/a%20b c.jpg", "/a%20b%20c.jpg", "a b c.jpg"),
            ("http://h/caf%C3%A9 \u{E9}.jpg", "/caf%C3%A9%20%C3%A9.jpg", "caf\u{E9} \u{E9}.jpg"),
            ("http://h/100%.jpg", "/100%25.jpg", "100%.jpg"),
            ("http://h/100% %41|{b}.jpg", "/100%25%20%41%7C%7Bb%7D.jpg", "100% A|{b}.jpg"),
            ("http://h/a%2.jpg?b=%20 &c=%zz", "/a%252.jpg?b=%20%20&c=%25zz", "a%2.jpg"),
            ("http://h/%25%32%30 \"x\".jpg", "/%25%32%30%20%22x%22.jpg", "%20 \"x\".jpg"),
        ]
    )
    func examples(given: String, target: String, name: String) throws {
        let url = try JobURL(given)
        #expect(url.text == "http://h" + target)
        #expect(DocumentName.derived(from: url) == name)
        #expect(try JobURL("http://h/x").redirected(to: given) == url)
        #expect(try JobURL("http://h/x").redirected(to: String(given.dropFirst(8))) == url)
    }
}
