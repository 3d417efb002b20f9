import FleetCore
import Foundation
import TestSupport
import Testing

@testable import facefetch_fleet

@Suite("Lists of documents that are compared with the record")
struct UnrecordedTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func documents(_ text: [UInt8], in places: [DocumentPlace]) throws -> [FleetQueue.ListedDocument]
    {
        let path = directory.path("list")
        try Data(text).write(to: URL(fileURLWithPath: path))
        let list = try OpenList(path)
        var all: [FleetQueue.ListedDocument] = []
        while let some = try Unrecorded.documents(of: list, in: places, atMost: 2) { all += some }
        return all
    }

    private let local = [DocumentPlace.local(node: "n"), .local(node: "m")]

    @Test("A file stands for its addresses, and an address for itself; empty lines for nothing")
    func lines() throws {
        let documents = try documents(
            Array("/d/a b.jpg\n\ns3://b/k\n/d/c.jpg".utf8),
            in: local
        )
        #expect(documents.map(\.line) == ["/d/a b.jpg", "s3://b/k", "/d/c.jpg"])
        #expect(
            documents.map(\.addresses) == [
                ["file://n/d/a%20b.jpg", "file://m/d/a%20b.jpg"], ["s3://b/k"],
                ["file://n/d/c.jpg", "file://m/d/c.jpg"],
            ]
        )
    }

    @Test("What no record could name is refused with its place: who prints it would have it deleted")
    func refusals() throws {
        let shared = [DocumentPlace.shared(folder: "/mnt/all")]
        let bucket = [DocumentPlace.bucket("b", prefix: "")]
        for (text, places) in [
            (Array("/d/a.jpg\nd/b.jpg".utf8), local), (Array("/mnt/all/a\n/mnt/b".utf8), shared),
            (Array("s3://b/k\n/d/a.jpg".utf8), bucket), (Array("/d/a\n/d/\u{1B}b".utf8), local),
            (Array("/d/a\n/d/".utf8) + [0xFF], local),
            (Array("/d/a\n/d/".utf8) + [UInt8](repeating: 0x61, count: 1 << 17), local),
        ] {
            #expect { try documents(text, in: places) } throws: { error in
                let failure = error as? FleetFailure
                return failure?.status == .usage && failure?.message.contains("list, line 2: ") == true
            }
        }
    }

    @Test("Other nodes are named only where documents stay with their nodes")
    func places() throws {
        var text = "database: host=h\n"
        func places(_ nodes: [String]) throws -> [DocumentPlace] {
            try Unrecorded.places(
                FleetSettings(text: text, path: "fleet.yaml", hostName: "here"),
                nodes: nodes
            )
        }
        #expect(try places([]) == [.local(node: "here")] && places(["n", "m"]) == local)
        text += "documents: path\ndocuments-path: /mnt/all\n"
        #expect(try places([]) == [.shared(folder: "/mnt/all")])
        #expect(throws: FleetFailure.self) { try places(["n"]) }
    }
}
