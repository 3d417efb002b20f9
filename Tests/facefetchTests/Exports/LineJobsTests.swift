import ExportFormats
import Glibc
import TestSupport
import Testing

@testable import facefetch

@Suite("Jobs that a file has")
struct LineJobsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func jobs(_ text: String, _ places: [String] = [], all: Bool = true) throws -> [ExportedJob] {
        let path = directory.path("jobs.jsonl")
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
        var jobs: [ExportedJob] = []
        let places = places.compactMap { DocumentMapping(argument: $0) }
        let lines = LineJobs(path: path, places: places, hasEveryJob: all)
        _ = try lines.forEachPage(after: 0, isAhead: false) { page, items in
            #expect(items.count <= 1000 && page.items.count <= 1000)
            jobs += items.map(\.job)
            return true
        }
        return jobs
    }

    private func line(_ id: Int, path: String?, state: String = "done") -> String {
        let path = path.map { "\"\($0)\"" } ?? "null"
        return
            #"{"id":\#(id),"batch":1,"state":"\#(state)","ending":"\#(state)","name":"a.jpg","path":\#(path),"#
            + #""url":"https://h/a.jpg","bytes":1,"created_at":"2026-11-27T00:00:00Z","detection":null}"#
    }

    @Test("They come in the order of the lines, page by page, whether or not the last one has an end")
    func order() throws {
        let text = (1...2500).map { line($0, path: "/d/\($0)") }.joined(separator: "\n")
        #expect(try jobs(text).map(\.id) == Array(1...2500))
        #expect(try jobs(text + "\n\n").count == 2500)
        #expect(try jobs("").isEmpty)
    }

    @Test("Documents are found where the addresses of a fleet lead to")
    func places() throws {
        let text = [
            line(1, path: "s3://pictures/a/b%20c.jpg"), line(2, path: "file://n1/d/b%20c.jpg"),
            line(3, path: "/shared/x"),
            line(4, path: "file://n2/d/x.jpg"), line(5, path: "s3://pictures/../x"),
            line(6, path: nil, state: "failed"),
        ].joined(separator: "\n")
        let places = ["s3://pictures/=/mnt/p", "file://n1/=/"]
        let paths = try jobs(text, places).map(\.path)
        #expect(
            paths == [
                "/mnt/p/a/b%20c.jpg", "/d/b c.jpg", "/shared/x", "file://n2/d/x.jpg", "s3://pictures/../x",
                nil,
            ]
        )
        #expect(try jobs(text, places, all: false).count == 5)
    }

    @Test(
        "Where documents are has the form of a prefix and a folder",
        arguments: ["", "x", "=", "s3://b/=here", "a=/b"]
    )
    func wrong(text: String) { #expect(DocumentMapping(argument: text) == nil) }

    @Test("What has no jobs is refused", arguments: ["x", "[]", "{}", #"{"id":1}{"id":2}"#, "1,2"])
    func senseless(text: String) {
        let error = #expect(throws: ClientError.self) { try self.jobs(text) }
        #expect("\(String(describing: error))".contains("up to line 1"))
    }

    @Test("A line that doesn't end is refused, and what isn't there can't be read")
    func endless() throws {
        let path = directory.path("endless.jsonl")
        let file = try #require(fopen(path, "w"))
        for _ in 0..<65 { fwrite([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20), 1, 1 << 20, file) }
        fclose(file)
        func words(_ path: String) -> String {
            let error = #expect(throws: ClientError.self) {
                _ = try LineJobs(path: path).forEachPage(after: 0, isAhead: false) { _, _ in true }
            }
            return error?.message ?? ""
        }
        #expect(words(path).contains("has no jobs as lines of JSON up to line 1"))
        #expect(words(directory.path("none")).contains("can't be read: No such file"))
        #expect(words("/").contains("can't be read: Is a directory"))
    }
}
