import Testing
import Vocabulary

@Suite("Lines of lists of URLs")
struct URLLineTests {
    @Test(
        "A comment begins with a # at the beginning, or after white space",
        arguments: [
            ("https://a/b#c", "https://a/b#c"), (" https://a/b \t# c ", "https://a/b"), ("# c", nil),
            ("", nil),
            ("https://a/b\r", "https://a/b"), ("\u{00E9}#", "\u{00E9}#"), (" \t ", nil),
        ] as [(String, String?)]
    )
    func comments(line: String, url: String?) {
        #expect(URLLine(line[...])?.url == url)
        #expect(URLLine(line[...])?.name == nil)
    }

    @Test(
        "A name follows after a tab",
        arguments: [
            ("https://a/b\tc d.jpg", "c d.jpg"), ("https://a/b \t c.jpg # d", "c.jpg"),
            ("https://a/b\t\"c # \"\"d\"\"\" # e", "c # \"d\""), ("https://a/b\t\"\"", nil),
            ("https://a/b\t", nil), ("https://a/b c", nil),
        ] as [(String, String?)]
    )
    func names(line: String, name: String?) { #expect(URLLine(line[...])?.name == name) }
}
