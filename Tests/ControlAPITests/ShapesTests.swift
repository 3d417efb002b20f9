import FoundationEssentials
import Testing

@testable import ControlAPI

@Suite("Shapes of the control socket")
struct ShapesTests {
    private func keys(_ value: some Encodable) throws -> Set<String> {
        let object = try JSONDecoder().decode([String: Anything].self, from: try JSONEncoder().encode(value))
        return Set(object.keys)
    }

    private struct Anything: Decodable { init(from decoder: any Decoder) {} }

    @Test("a job always has every key, so that a program needs no case for a missing one")
    func job() throws {
        let job = JobJSON(
            id: 1,
            batch: 1,
            url: "http://e.org/",
            state: .known(.queued),
            name: "a",
            bytes: 0,
            attempts: 0,
            priority: 0,
            createdAt: "2026-11-21T06:45:03.611Z",
            elapsed: 0
        )
        #expect(
            try keys(job) == [
                "id", "batch", "url", "state", "name", "path", "bytes", "total_bytes", "length", "percent",
                "bytes_per_second",
                "attempts", "sha256", "waiting", "error", "detection", "priority", "rate_limit",
                "expected_sha256", "source", "item_key", "meta", "ended", "ending",
                "created_at",
                "finished_at", "elapsed", "evicted_at", "pinned", "response",
            ]
        )
    }

    @Test("what is to be known of a job is read back as it was, whole numbers exactly")
    func meta() throws {
        let text = #"{"a":[1,-2.5,true,null],"b":{"c":"é\n"},"n":9007199254740993,"u":18446744073709551615}"#
        let read = try JSONDecoder().decode(MetaJSON.self, from: Data(text.utf8))
        #expect(read.text == text)
        #expect(try JSONDecoder().decode(MetaJSON.self, from: try JSONEncoder().encode(read)) == read)
        #expect(read.members.map(\.name) == ["a", "b", "n", "u"])
        #expect(
            read.members.map(\.text).prefix(3) == [
                "[1,-2.5,true,null]", "{\"c\":\"é\\n\"}", "9007199254740993",
            ]
        )
        for other in ["[]", "1", "null", "\"a\""] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(MetaJSON.self, from: Data(other.utf8))
            }
        }
    }

    @Test("a page says null where there is no next")
    func page() throws {
        let page = PageJSON<SteeredJSON>(items: [], total: 0, hasMore: false, next: nil)
        #expect(try keys(page) == ["items", "total", "has_more", "next"])
    }

    @Test("every problem code has a status and a title of its own kind", arguments: ProblemCode.allCases)
    func codes(code: ProblemCode) {
        #expect((400..<600).contains(code.status))
        #expect((code.title == "Internal Server Error") == (code.status == 500))
        let problem = ProblemJSON(code, "so it is")
        #expect(
            problem.code == code.rawValue && problem.status == code.status && problem.type == "about:blank"
        )
    }

    @Test("a batch can be sent and read back")
    func roundTrip() throws {
        let batch = BatchJSON(
            id: 1,
            createdAt: "2026-11-21T06:45:03.611Z",
            elapsed: 1.5,
            submittedBy: nil,
            jobCount: 2,
            states: [.known(.queued): 2],
            jobs: [1, 2]
        )
        #expect(try JSONDecoder().decode(BatchJSON.self, from: try JSONEncoder().encode(batch)) == batch)
    }
}
