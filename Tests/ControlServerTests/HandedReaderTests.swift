import ControlAPI
import Testing

@testable import ControlServer

@Suite("Items that a fleet is done with")
struct HandedReaderTests {
    @Test("They are named by their numbers")
    func numbers() throws {
        #expect(
            try HandedReader.body.read(Array(#"{"ids":[3,9007199254740993]}"#.utf8)) == [
                3, 9_007_199_254_740_993,
            ]
        )
        #expect(try HandedReader.body.read(HandedItemsRequest(ids: [1, 2]).json) == [1, 2])
    }

    @Test(
        "Whatever else comes is refused",
        arguments: [
            "{}", "[]", #"{"ids":[]}"#, #"{"ids":[0]}"#, #"{"ids":["1"]}"#, #"{"ids":{}}"#,
            #"{"ids":[1],"x":2}"#, "",
        ]
    )
    func refused(body: String) {
        #expect(throws: ProblemJSON.self) { try HandedReader.body.read(Array(body.utf8)) }
    }

    @Test("More than a thousand are refused")
    func most() throws {
        #expect(try HandedReader.body.read(HandedItemsRequest(ids: Array(1...1000)).json).count == 1000)
        #expect(throws: ProblemJSON.self) {
            try HandedReader.body.read(HandedItemsRequest(ids: Array(1...1001)).json)
        }
    }
}
