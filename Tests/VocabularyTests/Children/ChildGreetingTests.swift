import Foundation
import Testing
import Vocabulary

struct ChildGreetingTests {
    private struct Offer: ChildOffer {
        static let protocolVersion = 7
        var words: [String]
    }

    @Test("What a child offers stands beside the version, and comes back as it was")
    func flat() throws {
        let greeting = ChildGreeting(Offer(words: ["a"]), warning: "w")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(greeting)
        #expect(String(decoding: json, as: UTF8.self) == #"{"version":7,"warning":"w","words":["a"]}"#)
        #expect(try JSONDecoder().decode(ChildGreeting<Offer>.self, from: json) == greeting)
        #expect(greeting.words == ["a"])
    }

    @Test(
        "Without a version, or what this kind offers, it is no greeting",
        arguments: [#"{"words":[]}"#, #"{"version":7}"#, #"{"version":1e300,"words":[]}"#, "[]"]
    )
    func strange(_ text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ChildGreeting<Offer>.self, from: Data(text.utf8))
        }
    }

    @Test("A greeting of another version is read, so that it can be said which")
    func otherVersion() throws {
        let json = Data(#"{"version":6,"words":[]}"#.utf8)
        #expect(try JSONDecoder().decode(ChildGreeting<Offer>.self, from: json).version == 6)
    }
}
