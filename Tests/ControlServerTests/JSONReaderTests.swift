import Testing

@testable import ControlServer

@Suite("Reading JSON")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test(
        "values are read as RFC 8259 has them",
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("[]", .array([])), ("{}", .object([])),
            ("-0", .integer(0)),
            ("12", .integer(12)), ("1.0", .integer(1)), ("1e2", .integer(100)), ("-2.5E-1", .number(-0.25)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            (#""a\u00e4\n\ud83d\ude00/\/""#, .string("aä\n😀//")),
            (
                #"{"a":[1,{"b":null}]}"#,
                .object([
                    .init(key: "a", value: .array([.integer(1), .object([.init(key: "b", value: .null)])]))
                ])
            ),
        ] as [(String, JSONValue)]
    )
    func values(text: String, value: JSONValue) throws { #expect(try read(text) == value) }

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
        ]
    )
    func malformed(text: String) { #expect(throws: JSONReader.Malformed.self) { try read(text) } }

    @Test("bytes that are no UTF-8 are refused")
    func notUTF8() {
        #expect(throws: JSONReader.Malformed.self) { try JSONReader.read([0x22, 0xC3, 0x28, 0x22]) }
        #expect(throws: JSONReader.Malformed.self) { try JSONReader.read([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test("the place is the line and the byte in it")
    func place() {
        #expect(throws: JSONReader.Malformed(line: 3, column: 4, reason: "a colon was expected")) {
            _ = try read("{\n\"a\":1,\n\"b\"2}")
        }
    }
}
