import ControlAPI
import Testing

@testable import ControlServer

@Suite("The query of a request")
struct FormQueryTests {
    @Test(
        "is in form encoding, names and values alike",
        arguments: [
            ("q=two+words", ["q": "two words"]), ("q=two%20words", ["q": "two words"]),
            ("q=1%2B1", ["q": "1+1"]),
            ("a=1&b=2", ["a": "1", "b": "2"]), ("meta.camera+x=F%2B3", ["meta.camera x": "F+3"]),
            ("q=100%", ["q": "100%"]), ("q=%zz%4", ["q": "%zz%4"]), ("q=%C3%A9t%c3%a9", ["q": "été"]),
            ("q=a=b", ["q": "a=b"]), ("q=", ["q": ""]), ("q", ["q": ""]), ("", [:]), ("&&a=1&", ["a": "1"]),
            ("%71=x", ["q": "x"]), ("=x", ["": "x"]),
        ]
    )
    func decodes(query: String, values: [String: String]) throws {
        let pairs = try FormQuery.pairs(query)
        #expect(Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, $0.value) }) == values)
    }

    @Test("is refused where its bytes are no text", arguments: ["q=%FF", "%C3=1", "q=a&meta.x=%ED%A0%80"])
    func refuses(query: String) throws {
        let problem = #expect(throws: ProblemJSON.self) { try FormQuery.pairs(query) }
        #expect(problem?.code == "invalid_parameter")
    }

    @Test("finds names with a blank whichever way that is written, and says how an offset is")
    func requests() async throws {
        try await withServer { server in
            _ = try await server.send(
                "POST",
                "/v1/batches",
                #"{"items":[{"url":"http://example.org/a","name":"two words.jpg"},{"url":"http://example.org/b","name":"a+b.jpg"}]}"#
            )
            for (query, ids) in [
                ("q=two+words", [1]), ("q=two%20words", [1]), ("q=a%2Bb", [2]), ("q=a+b", []),
            ] as [(String, [Int64])] {
                let page: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?\(query)").decoded()
                #expect(page.items.map(\.id) == ids, "\(query)")
            }
            let moment = "/v1/events?follow=false&since=2026-11-21T06:45:00"
            #expect(try await server.send("GET", moment + "%2B01:00").status == 200)
            let bare = try await server.send("GET", moment + "+01:00")
            #expect(bare.status == 400 && bare.text.contains("in a query, a plus sign is %2B"))
        }
    }
}
