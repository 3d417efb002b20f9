import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// Bodies of requests.
@Suite struct RequestBodyTests {
    private static func body(_ expression: String, next: String, kind: String = "json") throws -> Reading {
        let program = ListerProgram.of(kind) {
            $0.items = ".[]"
            $0.url = ".u"
            $0.body = expression
        }
        return try Reading(program, next) {
            $0.asksBody = true
            $0.page = 3
            $0.offset = 20
            $0.variables = ["tag": "x\"y"]
        }
    }

    @Test(
        "A body sees variables, the page and what next gave",
        arguments: [
            ("{after: $next.after}", "null", #"{"after":null}"#),
            ("{after: $next.after}", #"{"after":"c2"}"#, #"{"after":"c2"}"#),
            ("[$page, $offset, $next]", "[1]", "[3,20,[1]]"),
            ("{tag: $vars.tag}", "null", #"{"tag":"x\"y"}"#),
            ("$next", "12345678901234567890", #""12345678901234567890""#),
        ]
    )
    func bodies(_ expression: String, _ next: String, _ body: String) throws {
        for kind in ["json", "feed", "xml"] {
            #expect(try Self.body(expression, next: next, kind: kind).page?.body == body)
        }
    }

    @Test("A body that can't be made is told by its field")
    func failures() throws {
        #expect(try Self.body("empty", next: "null").failure?.message == "request.body: this gives nothing")
        let shape = try Self.body(".a.b", next: "[]").failure
        #expect(shape?.message.hasPrefix("request.body: ") == true)
        let long = try Self.body("[range(100000)]", next: "null").failure
        #expect(long?.code == "unexpected_shape")
        #expect(long?.message == "request.body: this is longer than 262144 bytes")
        #expect(throws: UnusableProgram.self) {
            _ = try PageProgram(.json { $0.body = "{" })
        }
    }

    @Test(
        "What next gives is the next body's, but for a URL and the end",
        arguments: [
            ("{after: .a}", .value(#"{"after":"x"}"#)), ("{after: .none}", .end), ("{}", .end),
            ("null", .end),
            ("[.a]", .value(#"["x"]"#)), ("5", .value("5")), ("true", .value("true")),
            (#""/next""#, .url("/next")),
            ("false", .end),
        ] as [(String, ListedPage.Next)]
    )
    func next(_ expression: String, _ next: ListedPage.Next) throws {
        let program = ListerProgram.json(".items[]") {
            $0.body = "{}"
            $0.next = expression
        }
        #expect(try Reading(program, #"{"items": [], "a": "x"}"#).page?.next == next)
    }
}
