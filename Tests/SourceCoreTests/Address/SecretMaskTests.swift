import Foundation
import Testing

@testable import SourceCore

@Suite struct SecretMaskTests {
    private let mask = SecretMask(["key": "a b/c+\"d", "longer": "xa b/c+\"dx", "tiny": "abc"])

    @Test(
        "A secret is found however it is written",
        arguments: [
            "a b/c+\"d", "a%20b%2Fc%2B%22d", "a+b%2Fc%2B%22d", "a b/c+\\\"d", "a b\\/c+\\\"d",
        ]
    )
    func spellings(_ text: String) { #expect(mask.masked("<\(text)>") == "<{key}>") }

    @Test(
        "A secret is found in whichever of its spellings a server repeats it",
        arguments: [
            "k+y/\u{E9}&\"\\z", "k%2By%2F%C3%A9%26%22%5Cz", "k%2by%2f%c3%a9%26%22%5cz", "k y/\u{E9}&\"\\z",
            "%6B+%79/\u{E9}%26\"\\%7A", "k\\u002By\\/\\u00e9\\u0026\\\"\\\\z",
            "k\\x2by/\u{E9}&\\u0022\\u005Cz",
            "k&#43;y&#x2f;&#xE9;&amp;&quot;&bsol;z", "k&plus;y&sol;&#233;&#38;&#34;&#0092;z",
            "k&#43y/\u{E9}&#38\"\\z", "k%252By%252F%25C3%25A9%2526%2522%255Cz",
            "k%26%2343%3By/\u{E9}&amp;amp;\"\\z", "k\\u0025\u{32}By/\u{E9}&\"\\z",
        ]
    )
    func repeated(_ text: String) {
        let mask = SecretMask(["key": "k+y/\u{E9}&\"\\z"])
        #expect(mask.masked("<\(text)> is wrong") == "<{key}> is wrong")
        #expect(mask.isNeeded(by: text) && !mask.isNeeded(by: "k+y/e&z"))
        // A mark that follows is part of the last character, and of no secret.
        #expect(mask.masked("\(text)\u{301}") == "{key}\u{301}")
    }

    @Test(
        "A secret is found as it is in the name of a file",
        arguments: [("k/ey+two", "k_ey+two"), (".k/e\u{7}y", "k_e_y"), ("k/ey\u{202E}x", "k_ey_x")]
    )
    func fileNames(secret: String, name: String) {
        let mask = SecretMask(["key": secret])
        #expect(mask.masked("a-\(name).jpg") == "a-{key}.jpg" && mask.masked(name) == "{key}")
        #expect(mask.masked("k-ey+two") == "k-ey+two")
    }

    @Test("A secret is found in base64 of its percent-encoding", arguments: ["", "a", "key="])
    func base64OfURLs(before: String) {
        let mask = SecretMask(["key": "s3cr/t+with=all"])
        let text = Data((before + "s3cr%2Ft%2Bwith%3Dall").utf8).base64EncodedString()
        let masked = mask.masked("Basic \(text)")
        #expect(masked.contains("{key in base64}"), "\(masked)")
        #expect(masked.replacing("{key in base64}", with: "").utf8.count <= "Basic ".utf8.count + 10)
    }

    @Test(
        "A secret is found in base64, wherever in what was encoded it stands, and as it is written in URLs",
        arguments: ["", "a", "ab", "abc", "user:"],
        ["", "x", "xy", "xyz"]
    )
    func base64(before: String, after: String) {
        let secret = "s3cr?t~>\u{FF}key"
        let mask = SecretMask(["key": secret])
        let plain = Data((before + secret + after).utf8).base64EncodedString()
        let forURLs = plain.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let percent = plain.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing(
            "=",
            with: "%3D"
        )
        for text in [plain, forURLs, percent] {
            let masked = mask.masked("Basic \(text) is wrong")
            #expect(masked.hasPrefix("Basic ") && masked.hasSuffix(" is wrong") && masked.contains("{key"))
            // No more than what stands for the text around it is left.
            let rest = masked.replacing("{key in base64}", with: "").utf8.count - "Basic  is wrong".utf8.count
            #expect(rest <= (before.utf8.count * 8 + 5) / 6 + (after.utf8.count * 8 + 5) / 6 + 6, "\(masked)")
            #expect(mask.isNeeded(by: text))
        }
    }

    @Test(
        "A secret is found in base64 that is broken into lines, whatever has become of their ends",
        arguments: ["\n", "\r\n", "\n  ", " ", "  ", "\\n", "\\r\\n", "%0D%0A", "\t"],
        [20, 64, 76]
    )
    func base64InLines(end: String, columns: Int) {
        // Every character of the alphabet, the plus sign among them.
        let characters = (0..<40).map { UInt8(0x21 + $0 * 7 % 0x5E) }
        let secret = String(decoding: characters, as: UTF8.self) + "~~>>??\u{FB}\u{EF}"
        let mask = SecretMask(["key": secret])
        for (before, after) in [("", ""), ("user:", ""), ("ab", "cde"), ("x", "\u{FF}y")] {
            let text = Data((before + secret + after).utf8).base64EncodedString()
            let lines = stride(from: 0, to: text.count, by: columns).map {
                text.dropFirst($0).prefix(columns)
            }
            let masked = mask.masked("Basic: \(lines.joined(separator: end)), is wrong")
            #expect(masked.hasPrefix("Basic: ") && masked.hasSuffix(", is wrong"))
            let rest = masked.replacing("{key in base64}", with: "").utf8.count - "Basic: , is wrong".count
            #expect(rest <= ((before + after).utf8.count * 8 + 10) / 6 + 4, "\(masked)")
        }
        let honest = "Lines of words, \(end) and some more + more"
        #expect(mask.masked(honest) == honest)
    }

    @Test("What is too short to be told from honest base64 is looked for only as it is")
    func shortInBase64() {
        let mask = SecretMask(["key": "abcde"])
        let text = Data("abcde".utf8).base64EncodedString()
        #expect(mask.masked("\(text) abcde") == "\(text) {key}")
    }

    @Test("A secret that is filled in again is not taken for its base64")
    func base64InURLs() {
        let variables = Variables([:], secret: ["key": "0123456789"])
        let text = "http://h/?a=" + Data("0123456789".utf8).base64EncodedString()
        #expect(variables.unfilled(text) == text)
    }

    @Test("A text can be had without its secrets that is no longer than it was")
    func shortened() {
        let mask = SecretMask(["a_very_long_name": "k3y!"])
        #expect(mask.masked("k3y!k3y!") == "{a_very_long_name}{a_very_long_name}")
        #expect(mask.shortened("k3y!k3y! k3y") == "****** k3y")
    }

    @Test("A secret that looks encoded is found as it is, and encoded and decoded as well")
    func looksEncoded() {
        let mask = SecretMask(["key": "ab%2Fcd&amp;"])
        for text in ["ab%2Fcd&amp;", "ab%252Fcd%26amp%3B", "ab/cd&", "ab%2fcd&amp;amp;"] {
            #expect(mask.masked(text) == "{key}")
        }
        // What follows may look like more of an escape.
        #expect(SecretMask(["key": "key%4"]).masked("key%41") == "{key}1")
        // What is left of one that is mostly escapes is found in unrelated texts.
        #expect(SecretMask(["key": "%41%42"]).masked("TAB %41%42") == "TAB {key}")
    }

    @Test("Of secrets that overlap nothing is left")
    func overlapping() {
        let mask = SecretMask(["a": "abcdefgh", "b": "efghijk", "c": "cdef"])
        #expect(mask.masked("abcdefghijk abcdefg-abcdefghabcdefgh") == "{a}{b} ab{c}g-{a}{a}")
    }

    @Test(
        "A secret that is cut within an escape is found by what is left",
        arguments: [
            "0123+", "0123%", "0123%2", "0123\\", "0123\\u00", "0123&#4", "0123&pl", "0123%2B4\u{FFFD}",
        ]
    )
    func cut(_ text: String) {
        let mask = SecretMask(["key": "0123+4\u{E9}6789abcdef"])
        #expect(
            mask.maskedExcerpt("is \(text)") == (text.contains("\u{FFFD}") ? "is {key}\u{FFFD}" : "is {key}")
        )
        #expect(mask.maskedExcerpt("is \(text)\u{2026}").hasPrefix("is {key}"))
        #expect(!mask.maskedExcerpt("is \(text)\u{2026}").contains("0123"))
    }

    @Test("What has escapes and no secret stays as it is")
    func honest() {
        let text = #"100% of "a\nb" &amp; %zz &#x110000; &nothing; \ud800 \u12 &#99999999999; %"#
        #expect(mask.masked(text) == text && mask.maskedExcerpt(text) == text)
    }

    @Test("The longest secret goes first, and what is too short to be one stays")
    func lengths() {
        #expect(mask.masked("xa b/c+\"dx abc") == "{longer} abc")
        #expect(SecretMask().masked("text") == "text")
    }

    @Test("A secret whose end is missing is found by its first twelve characters")
    func beginnings() {
        let mask = SecretMask(["key": "0123456789abcdef"])
        #expect(mask.maskedExcerpt("is 0123456789abcd") == "is {key}")
        #expect(
            mask.maskedExcerpt("0123456789ab, 0123456789abcdef, 0123456789a.") == "{key}, {key}, 0123456789a."
        )
        #expect(mask.maskedExcerpt("0123456789abXY") == "{key}XY")
        let failure = SourceFailure(.unexpectedShape, "x 0123456789abc", excerpt: "<0123456789abcde")
        #expect(mask.masked(failure).message == "x {key}" && mask.masked(failure).excerpt == "<{key}")
        #expect(mask.maskedExcerpt("is 0123") == "is {key}" && mask.maskedExcerpt("is 012") == "is 012")
    }

    @Test("Of a file of keys these are secrets, and what stands beside them is not")
    func file() {
        let file =
            "[default]\nregion = us-east-1\noutput = json\n"
            + "aws_access_key_id = AKID\naws_secret_access_key=se=cret \naws_session_token = to/ken\n"
        let mask = SecretMask(["aws": file])
        #expect(mask.masked("AKID se=cret to%2Fken default") == "{aws} {aws} {aws} default")
        #expect(!mask.isNeeded(by: "export-us-east-1/a.json"))
    }

    @Test("Of another file of several lines each value is a secret")
    func values() {
        let mask = SecretMask(["two": "user = someone\npassword=very good\n"])
        #expect(mask.masked("someone, very+good, user") == "{two}, {two}, user")
    }

    @Test("An item's URL is stored without secrets, and gets them back")
    func items() throws {
        let variables = Variables(["a": "x"], secret: ["key": "s&cr/t!", "path": "p th"])
        let stored = variables.unfilled("http://h/p%20th/1.jpg?k=s%26cr%2Ft%21&b={a}")
        #expect(stored == "http://h/{path}/1.jpg?k={key}&b=%7Ba%7D")
        let encoded = stored.replacing("{", with: "%7B").replacing("}", with: "%7D")
        #expect(variables.refilledItem(encoded) == "http://h/p%20th/1.jpg?k=s%26cr%2Ft%21&b=%7Ba%7D")
    }
}
