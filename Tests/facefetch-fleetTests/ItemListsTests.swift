import Foundation
import TestSupport
import Testing

@testable import facefetch_fleet

@Suite("Lists that are read piece by piece")
struct ItemListsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func list(_ name: String, _ text: String) throws -> String {
        let path = directory.path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("Items come in order, no more of them at once than wanted, however lines and pieces are cut")
    func pieces() throws {
        // Longer than what is read from a file at once.
        let long = "http://a/" + String(repeating: "x", count: 7000)
        let lines = (0..<400).map { "\(long)/\($0)\n" }.joined()
        let first = try list("first", "# a comment\n\n" + lines)
        let (empty, last) = (
            try list("empty", ""), try list("last", "\n{\"url\":\"http://b/1\"}\nhttp://b/2")
        )
        var lists = ItemLists(urls: ["http://c/1", "http://c/2"], paths: [first, empty, last], priority: 4)
        var urls: [String] = []
        while true {
            let items = try lists.next(atMost: 7)
            guard !items.isEmpty else { break }
            #expect(items.count <= 7 && items.allSatisfy { $0.priority == 4 })
            urls += items.map(\.url)
        }
        let expected =
            ["http://c/1", "http://c/2"] + (0..<400).map { "\(long)/\($0)" } + ["http://b/1", "http://b/2"]
        #expect(urls == expected && lists.count == expected.count)
        #expect(try lists.next(atMost: 7).isEmpty)
    }

    @Test("A bad line is told with its place, as is a list that isn't there")
    func refusals() throws {
        let bad = try list("bad", "http://a/1\nhttp://a/2\nftp://a/3\n")
        var lists = ItemLists(urls: [], paths: [bad], priority: 0)
        #expect(try lists.next(atMost: 2).count == 2)
        let failure = #expect(throws: FleetFailure.self) { try lists.next(atMost: 2) }
        #expect(failure?.message.hasPrefix("\(bad), line 3: ") == true)
        // Without an end, it would fill the memory.
        let endless = try list("endless", "http://a/1\n" + String(repeating: "x", count: 1 << 22))
        lists = ItemLists(urls: [], paths: [endless], priority: 0)
        #expect(try lists.next(atMost: 1).count == 1)
        #expect(throws: FleetFailure.self) { try lists.next(atMost: 1) }
        lists = ItemLists(urls: [], paths: [directory.path + "/none"], priority: 0)
        #expect(throws: FleetFailure.self) { try lists.next(atMost: 1) }
    }
}
