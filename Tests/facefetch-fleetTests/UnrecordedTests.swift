import Foundation
import TestSupport
import Testing

@testable import facefetch_fleet

@Suite("Lists of documents that are compared with the record")
struct UnrecordedTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func documents(_ text: [UInt8]) throws -> [FleetQueue.ListedDocument] {
        let path = directory.path("list")
        try Data(text).write(to: URL(fileURLWithPath: path))
        let list = try OpenList(path)
        var all: [FleetQueue.ListedDocument] = []
        while let some = try Unrecorded.documents(of: list, atMost: 2) { all += some }
        return all
    }

    @Test("A file stands for its path with any node, and an address for itself; empty lines for nothing")
    func lines() throws {
        let documents = try documents(Array("/d/a b.jpg\n\ns3://b/k\nfile://n/d/a%20b.jpg".utf8))
        #expect(documents.map(\.line) == ["/d/a b.jpg", "s3://b/k", "file://n/d/a%20b.jpg"])
        #expect(
            documents.map(\.addresses) == [
                ["/d/a b.jpg", "file:/d/a%20b.jpg"], ["s3://b/k"], ["file:/d/a%20b.jpg"],
            ]
        )
    }

    @Test("What no record could name is refused with its place: who prints it would have it deleted")
    func refusals() throws {
        for line in [
            "d/b.jpg", "/d//b.jpg", "/d/./b.jpg", "/d/../b.jpg", "/d/", "file://n", "/d/\u{1B}b",
            "/d/" + String(repeating: "a", count: 1 << 17),
        ].map({ Array($0.utf8) }) + [Array("/d/".utf8) + [0xFF]] {
            #expect { try documents(Array("/d/a.jpg\n".utf8) + line) } throws: { error in
                let failure = error as? FleetFailure
                return failure?.status == .usage && failure?.message.contains("list, line 2: ") == true
            }
        }
    }
}
