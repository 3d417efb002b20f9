import Testing

@testable import facefetch

@Suite("Text on a terminal")
struct TerminalTextTests {
    @Test(
        "What could steer a terminal is escaped, all else is left alone",
        arguments: [
            ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"), ("a\nb\rc\td", "a\\nb\\rc\\td"), ("\u{9b}31m", "\\u{9b}31m"),
            ("\u{202e}gpj", "\\u{202e}gpj"), ("\u{2028}", "\\u{2028}"),
            ("Flémalle (1).jpg", "Flémalle (1).jpg"),
            ("日本.jpg", "日本.jpg"),
        ]
    )
    func escapes(text: String, safe: String) { #expect(text.safeForTerminal == safe) }

    @Test(
        "Widths are those of a terminal",
        arguments: [("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("😀", 2), ("❤\u{fe0f}", 2), ("", 0)]
    )
    func widths(text: String, columns: Int) { #expect(text.columns == columns) }

    @Test("A cut text fills its columns at the most, and shows that it is cut")
    func cuts() {
        #expect("abcdef".cut(to: 6) == "abcdef")
        #expect("abcdef".cut(to: 5) == "abcd…")
        #expect("日本語".cut(to: 4) == "日…")
        #expect("abc".cut(to: 1) == "…")
        #expect("abc".cut(to: 0) == "")
    }

    @Test("A name cut in its middle keeps its extension")
    func cutsInMiddle() {
        #expect("a-very-long-name.jpg".cutInMiddle(to: 11) == "a-ver…e.jpg")
        #expect("short.jpg".cutInMiddle(to: 9) == "short.jpg")
        for width in 0...20 { #expect("a-very-long-name.jpg".cutInMiddle(to: width).columns <= width) }
    }

    @Test("A table is aligned, and its flexible columns give way in a narrow window")
    func table() {
        var table = Table(columns: [
            .init(title: "N", isNumeric: true), .init(title: "NAME", isFlexible: true), .init(title: "X"),
        ])
        table.rows = [["1", "a-very-long-file-name.jpg", "x"], ["22", "日本.jpg", "y"]]
        #expect(
            table.lines(width: nil) == [
                " N  NAME                       X", " 1  a-very-long-file-name.jpg  x",
                "22  日本.jpg                   y",
            ]
        )
        #expect(
            table.lines(width: 20) == [" N  NAME           X", " 1  a-very…me.jpg  x", "22  日本.jpg       y"]
        )
    }
}
