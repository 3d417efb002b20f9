import Testing

@testable import Vocabulary

@Suite("Files of cookies")
struct CookieFileTests {
    private static let text = """
        # Netscape HTTP Cookie File
        example.org\tFALSE\t/\tFALSE\t0\tsession\tabc
        .example.org\tTRUE\t/pictures\tFALSE\t2000000000\twide\tv=1
        #HttpOnly_.example.org\tTRUE\t/\tTRUE\t2000000000.5\tsafe\t"q u"

        example.org\tFALSE\t/\tFALSE\t1000\told\tx\r
        192.0.2.1\tTRUE\t/\tFALSE\t0\tip\t
        ::1\tFALSE\t/a/\tFALSE\t0\tsix
        """

    @Test(
        "A cookie goes to the hosts, paths and schemes that it is for, and until it expires",
        arguments: [
            ("https://example.org/pictures/a.jpg", "wide=v=1; session=abc; safe=\"q u\""),
            ("http://example.org/pictures", "wide=v=1; session=abc"),
            ("http://example.org/picturesque", "session=abc"),
            ("HTTP://user:secret@EXAMPLE.org:8080?x=/pictures/", "session=abc"),
            ("https://www.example.org/", "safe=\"q u\""), ("http://www.example.org/", nil),
            ("https://WWW.example.org./", "safe=\"q u\""), ("https://notexample.org/", nil),
            ("http://192.0.2.1/", "ip="), ("http://a.192.0.2.1.org/", nil),
            ("http://1.192.0.2.1/", nil), ("http://[::1]:80/a/b", "six="), ("http://[::1]/a", nil),
            ("ftp://example.org/", nil), ("example.org", nil), ("http:///", nil), ("", nil),
        ] as [(String, String?)]
    )
    func field(url: String, field: String?) throws {
        let file = try CookieFile(Self.text.utf8)
        #expect(file.cookies.count == 6)
        #expect(file.field(for: url, now: 1_900_000_000) == field)
    }

    @Test(
        "What is no such file is refused with its line, and without a value",
        arguments: [
            ("SECRET", 1, "seven fields"), ("# c\n{\"a\": \"SECRET\"}", 2, "seven fields"),
            ("a\tTRUE\t/\tFALSE\t0\tn\tSECRET\tx", 1, "seven fields"),
            ("\tTRUE\t/\tFALSE\t0\tn\tSECRET", 1, "the first field"),
            ("a\tyes\t/\tFALSE\t0\tn\tSECRET", 1, "the second field"),
            ("a\tTRUE\tx\tFALSE\t0\tn\tSECRET", 1, "the third field"),
            ("a\tTRUE\t/\tno\t0\tn\tSECRET", 1, "the fourth field"),
            ("a\tTRUE\t/\tTRUE\tnever\tn\tSECRET", 1, "the fifth field"),
            ("a\tTRUE\t/\tTRUE\t-1\tn\tSECRET", 1, "the fifth field"),
            ("a\tTRUE\t/\tTRUE\tnan\tn\tSECRET", 1, "the fifth field"),
            ("\n\na\tTRUE\t/\tTRUE\t0\t\tSECRET", 3, "the last fields"),
            ("a\tTRUE\t/\tTRUE\t0\tn\tSECRET;b", 1, "the last fields"),
            ("a\tTRUE\t/\tTRUE\t0\tn\tSECRET\u{1}", 1, "the last fields"),
        ]
    )
    func refused(text: String, line: Int, words: String) {
        let wrong = #expect(throws: CookieFile.Wrong.self) { try CookieFile(text.utf8) }
        #expect(wrong?.line == line && wrong?.words.contains(words) == true, "\(String(describing: wrong))")
        #expect(wrong?.words.contains("SECRET") == false)
    }

    @Test("There are limits to how many and how long they are")
    func limits() throws {
        let lines = { (count: Int) in (0..<count).map { "a\tTRUE\t/\tTRUE\t0\tn\($0)\tv\n" }.joined() }
        #expect(try CookieFile(lines(3000).utf8).cookies.count == 3000)
        #expect(throws: CookieFile.Wrong.self) { try CookieFile(lines(3001).utf8) }
        #expect(throws: CookieFile.Wrong.self) {
            try CookieFile([UInt8](repeating: 0x0A, count: CookieFile.maximumLength + 1))
        }
        let long = String(repeating: "v", count: CookieFile.maximumPair)
        #expect(throws: CookieFile.Wrong.self) { try CookieFile("a\tTRUE\t/\tTRUE\t0\tn\t\(long)".utf8) }
    }

    @Test("A field is taken apart by the names of its cookies")
    func names() {
        #expect(CookieField.names(in: "a=b; c=d=e;f=") == ["a", "c", "f"])
        #expect(CookieField.removing(["c", "x"], from: "a=b; c=d=e;f=") == "a=b; f=")
        #expect(CookieField.removing(["a"], from: "a=b") == nil)
        for valid in ["a=b", "a=b; c=d", "a=", "a=b;"] { #expect(CookieField.isValid(valid), "\(valid)") }
        for wrong in ["", ";", "a", "=b", "a=b; c", " "] { #expect(!CookieField.isValid(wrong), "\(wrong)") }
    }
}
