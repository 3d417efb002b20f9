import Foundation
import Testing
import Vocabulary

@Suite("Strings of JSON")
struct JSONStringTests {
    private static let odd =
        "tab\t \"quotes\" back\\slash\r\nline \u{1}\u{1F}\u{8}\u{C} ü\u{2028} /path \u{7F}"

    @Test("what has to be escaped is, and nothing else")
    func byLetter() {
        let escaped = #""tab\t \"quotes\" back\\slash\r\nline \u0001\u001f\b\f ü"# + "\u{2028} /path \u{7F}\""
        #expect(JSONString.of(Self.odd) == escaped)
    }

    @Test("control characters are written by their numbers where that is asked for")
    func byNumber() {
        let escaped =
            #""tab\u0009 \"quotes\" back\\slash\u000d\u000aline \u0001\u001f\u0008\u000c ü"#
            + "\u{2028} /path "
        #expect(JSONString.of(Self.odd, .byNumber) == escaped + "\u{7F}\"")
        #expect(JSONString.of(Self.odd, .byNumberWithDelete) == escaped + #"\u007f""#)
    }

    @Test("a reader finds the text again, whatever is in it")
    func readBack() throws {
        for text in ["", "plain", Self.odd, "\u{0}\"", "👩‍👩‍👧"] {
            for controls in [JSONString.Controls.byLetter, .byNumber, .byNumberWithDelete] {
                let json = Data(JSONString.of(text, controls).utf8)
                #expect(try JSONDecoder().decode(String.self, from: json) == text)
            }
        }
    }
}
