import ControlAPI
import Foundation
import Testing
import Vocabulary

@Suite("Words of the API")
struct APIWordTests {
    @Test("A word that the list has is known, and goes out as it came")
    func known() throws {
        let words = try JSONDecoder().decode([APIWord<JobState>].self, from: Data(#"["done"]"#.utf8))
        #expect(words == [.known(.done)] && words[0] == .done && words[0] != .failed)
        #expect(String(decoding: try JSONEncoder().encode(words), as: UTF8.self) == #"["done"]"#)
    }

    @Test("A word of a newer daemon is unknown, no error, and keeps its text")
    func unknown() throws {
        let text = #"["verified"]"#
        let words = try JSONDecoder().decode([APIWord<JobState>].self, from: Data(text.utf8))
        #expect(words == [.unknown("verified")] && words[0].known == nil && words[0].text == "verified")
        #expect(words[0] != .done)
        #expect(String(decoding: try JSONEncoder().encode(words), as: UTF8.self) == text)
    }

    @Test("Counts by state are an object, states of a newer daemon included")
    func counts() throws {
        let text = #"{"queued":2,"verified":1}"#
        let counts = try JSONDecoder().decode(JobCountsJSON.self, from: Data(text.utf8))
        #expect(counts == [.known(.queued): 2, .unknown("verified"): 1])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(counts), as: UTF8.self) == text)
    }
}
