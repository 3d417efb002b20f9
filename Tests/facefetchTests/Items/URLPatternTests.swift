import Testing

@testable import facefetch

/// Patterns of URLs.
struct URLPatternTests {
    @Test(
        "Ranges and choices stand for what they do in curl, the last of them changing first",
        arguments: [
            ("h/a[001-003].jpg", ["h/a001.jpg", "h/a002.jpg", "h/a003.jpg"]),
            ("h/[8-11]", ["h/8", "h/9", "h/10", "h/11"]),
            ("h/[1-9:4]/x", ["h/1/x", "h/5/x", "h/9/x"]),
            ("h/[a-c]", ["h/a", "h/b", "h/c"]), ("h/[A-E:2]", ["h/A", "h/C", "h/E"]),
            ("{a,b}[1-2]", ["a1", "a2", "b1", "b2"]), ("h/{,b}.jpg", ["h/.jpg", "h/b.jpg"]),
            ("h/[7-7]", ["h/7"]), ("h/[[1-2]", ["h/[1", "h/[2"]),
        ]
    )
    func expanded(_ text: String, _ urls: [String]) throws {
        let pattern = try #require(try URLPattern(text))
        #expect(pattern.urls == urls && pattern.count == urls.count)
    }

    @Test(
        "Brackets and braces that say nothing stay as they are",
        arguments: [
            "http://[::1]:80/a.jpg", "http://[fe80::1]/a", "h/[1].jpg", "h/{id}", "h/[a-10]", "h/[aa-bb]",
            "h/[a-Z]",
            "h/[-1]", "h/[1-]", "h/[", "h/]a[", "h/{", "h/[1-2", "?a[]=1&b[x]=2", "h/a,b", "",
            "h/[1[2]]", String(repeating: "[", count: 8000) + "]", String(repeating: "{[", count: 4000) + "}",
            String(repeating: "[1-2]", count: 2_000_000),
        ]
    )
    func plain(_ text: String) throws { #expect(try URLPattern(text) == nil) }

    @Test(
        "What counts down, or stands for too much, is refused with the reason",
        arguments: [
            "h/[9-1]", "h/[c-a]", "h/[1-2:0]", "h/[1-999999]", "h/[1-400][1-400]", "h/[001:100].jpg",
            String(repeating: "[1-99999]", count: 20),
        ]
    )
    func refused(_ text: String) {
        let wrong = #expect(throws: URLPattern.Wrong.self) { try URLPattern(text) }
        #expect(wrong?.words.isEmpty == false)
    }
}
