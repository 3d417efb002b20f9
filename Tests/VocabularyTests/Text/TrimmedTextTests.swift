import Testing
import Vocabulary

@Suite("White space around a text")
struct TrimmedTextTests {
    @Test(
        "is taken off, and none within",
        arguments: [
            ("", ""), (" ", ""), ("\t\r\n\u{3000}", ""), ("a", "a"), ("a b", "a b"), (" a b\n", "a b"),
            ("\u{A0}é\u{2028}", "é"), ("é ", "é"), (" \u{1F600}", "\u{1F600}"),
        ]
    )
    func ends(text: String, trimmed: String) {
        #expect(text.trimmed == trimmed)
        #expect(text[...].trimmed == trimmed)
    }
}
