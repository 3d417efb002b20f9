import Testing

@testable import ControlServer

@Suite("Reading JSON")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONTree { try JSONTree.read(Array(text.utf8)) }

    @Test(
        "values are read as RFC 8259 has them",
        arguments: [
            ("null", .scalar(.null)), (" true ", .scalar(.bool(true))), ("[]", .array([])),
            ("{}", .object([])), ("-0", .scalar(.integer(0))),
            ("12", .scalar(.integer(12))), ("1.0", .scalar(.integer(1))), ("1e2", .scalar(.integer(100))),
            ("-2.5E-1", .scalar(.number(-0.25))),
            ("9223372036854775808", .scalar(.number(9_223_372_036_854_775_808))),
            (#""a\u00e4\n\ud83d\ude00/\/""#, .scalar(.string("aä\n😀//"))),
            (
                #"{"a":[1,{"b":null}]}"#,
                .object([
                    .init(
                        key: "a",
                        value: .array([
                            .scalar(.integer(1)), .object([.init(key: "b", value: .scalar(.null))]),
                        ])
                    )
                ])
            ),
        ] as [(String, JSONTree)]
    )
    func values(text: String, value: JSONTree) throws { #expect(try read(text) == value) }

    @Test(
        "what is no JSON is refused",
        arguments: [
            "", " ", "nul", "tru", "01", "-", "1.", ".5", "1e", "+1", "NaN", "1e999", "\"", "\"\t\"",
            #""\x""#, #""\u12""#,
            #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, "[1,]", "[1 2]", "[", "{", "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}", "{a:1}", "{'a':1}",
            "{\"a\":1,\"a\":2}", "1 2", "[]]", "//", "\u{FEFF}1",
            String(repeating: "[", count: 100_000),
            "{" + (0...64).map { "\"\($0)\":0" }.joined(separator: ",") + "}",
            String(repeating: "1", count: 1000), #""\u00e9\""#, "\"\\",
        ]
    )
    func malformed(text: String) { #expect(throws: JSONReader.Malformed.self) { try read(text) } }

    @Test("bytes that are no UTF-8 are refused")
    func notUTF8() {
        #expect(throws: JSONReader.Malformed.self) { try JSONTree.read([0x22, 0xC3, 0x28, 0x22]) }
        #expect(throws: JSONReader.Malformed.self) { try JSONTree.read([0x22, 0xED, 0xA0, 0x80, 0x22]) }
        // Nor where an escape is beside them, or where nobody wants the string.
        #expect(throws: JSONReader.Malformed.self) {
            try JSONTree.read(Array("\"\\n".utf8) + [0xC3] + Array("\\n\"".utf8))
        }
        #expect(throws: JSONReader.Malformed.self) {
            var reader = JSONReader([0x5B, 0x22, 0xFF, 0x22, 0x5D])
            try reader.skip()
        }
    }

    @Test("the place is the line and the byte in it")
    func place() {
        #expect(throws: JSONReader.Malformed(line: 3, column: 4, reason: "a colon was expected")) {
            _ = try read("{\n\"a\":1,\n\"b\"2}")
        }
    }

    @Test(
        "what is read for nobody keeps to the form, too",
        arguments: ["[01]", "[1,]", "[\"\\x\"]", "{\"a\":nul}", "[1"]
    )
    func skipped(text: String) {
        #expect(throws: JSONReader.Malformed.self) {
            var reader = JSONReader(Array(text.utf8))
            try reader.skip()
            try reader.end()
        }
    }

    @Test("keys are told apart by their bytes, however alike they look")
    func keys() throws {
        #expect(throws: Never.self) { try read("{\"\u{E9}\":1,\"e\u{301}\":1}") }
        #expect(throws: JSONReader.Malformed.self) { try read("{\"\u{E9}\":1,\"\\u00e9\":1}") }
    }

    @Test("of a long string only so much is kept as shows that it is too long")
    func long() throws {
        for text in [String(repeating: "a", count: 100_000), String(repeating: "\\n\u{E9}", count: 50_000)] {
            guard case .scalar(.string(let kept)) = try read("\"\(text)\"") else {
                Issue.record("no string")
                return
            }
            #expect(kept.utf8.count >= JSONReader.maximumTextLength)
            #expect(kept.utf8.count <= JSONReader.maximumTextLength + 4)
        }
    }
}
