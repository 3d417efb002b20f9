import ControlAPI
import FoundationEssentials
import Testing

@testable import facefetch

@Suite("The answer to a posted batch")
struct PostedBatchTests {
    private func read(_ text: String) throws -> PostedBatch {
        try JSONDecoder().decode(PostedBatch.self, from: Data(text.utf8))
    }

    private static let batch =
        #"{"created_at":"2026-11-21T06:45:03.611Z","elapsed":0,"id":3,"job_count":3,"jobs":[1,2,3],"states":{},"#

    @Test("is a batch, which may say how many were known")
    func batch() throws {
        let plain = try read(Self.batch + #""submitted_by":null}"#)
        #expect(plain.batch?.id == 3 && plain.known == nil && plain.news == nil)
        let new = try read(Self.batch + #""known":1097,"submitted_by":null}"#)
        #expect(new.batch?.known == 1097 && new.news == "3 new, 1,097 known.")
        #expect(new.line.contains(#""known":1097"#))
    }

    @Test("is no batch where all were known")
    func nothingNew() throws {
        let posted = try read(#"{"batch":null,"known":97}"#)
        #expect(posted.batch == nil && posted.news == "0 new, 97 known.")
        #expect(posted.line == #"{"batch":null,"known":97}"#)
    }
}
