import ControlAPI
import TestSupport
import Testing

@testable import facefetch

/// Lists that are longer than a batch.
struct BatchPartsTests {
    private static func parts(_ urls: [String], size: Int = 2) -> BatchParts {
        BatchParts(size: size, items: urls.map { BatchRequest.Item(url: $0) }) { "list.csv row \($0 + 1)" }
    }

    private static let good = (1...5).map { "https://h/\($0).jpg" }

    @Test("All URLs of a longer list are checked before any of it is posted")
    func checked() throws {
        for bad in ["ftp://h/x", "https:///x", "a.jpg", "https://h:70000/", "https://h/\u{1}", " "] {
            var posts = 0
            let parts = Self.parts(Self.good + [bad])
            let error = #expect(throws: ClientError.self, "\(bad)") {
                try parts.post({ _, _ in
                    posts += 1
                    return posts
                }) { _ in }
            }
            #expect(posts == 0)
            #expect(error?.message.contains("list.csv row 6") == true)
            #expect(error?.message.contains("Nothing was added") == true)
        }
    }

    @Test(
        "URLs that the daemon takes are taken",
        arguments: [
            "https://h/a.jpg", "http://user:pw@h:8080/a b?q=1#f", "HTTP://H/", "https://[::1]/x",
            "https://h/é",
        ]
    )
    func taken(_ url: String) { #expect(BatchParts.refusal(of: url) == nil) }

    @Test("A list that is cut off says how much of it was added, and where to go on")
    func cutOff() {
        var posts = 0
        let error = #expect(throws: ClientError.self) {
            try Self.parts(Self.good).post({ _, _ in
                posts += 1
                guard posts < 2 else { throw ClientError.unreachable("The daemon has gone away.") }
                return posts
            }) { _ in }
        }
        #expect(error?.status == .unreachable)
        #expect(error?.message.contains("The first 2 files of the list were added") == true)
        #expect(error?.message.contains("list.csv row 3") == true)
        #expect(error?.message.contains("Nothing") == false)
    }

    @Test("A part that is refused doesn't say that nothing was added where something was")
    func refused() {
        var posts = 0
        let error = #expect(throws: ClientError.self) {
            try Self.parts(Self.good).post({ _, _ in
                posts += 1
                guard posts < 3 else {
                    throw RefusedItems(
                        problem: ProblemJSON(title: "", status: 422, code: "invalid_items", detail: ""),
                        items: [.init(index: 0, field: "url", reason: "no")]
                    )
                }
                return posts
            }) { _ in }
        }
        #expect(error?.message.contains("list.csv row 5, \"https://h/5.jpg\", is refused") == true)
        #expect(error?.message.contains("The first 4 files") == true)
        #expect(error?.message.contains("Nothing") == false)
    }

    @Test("What the daemon refuses of a part is left out where that is asked for, and the rest is posted")
    func leftOut() throws {
        var parts = Self.parts(Self.good, size: 3)
        var left: [Int: String] = [:]
        parts.leaveOut = { left[$0] = $1 }
        var posted: [[String]] = []
        try parts.post({ batch, _ in
            // Only the first bad one of each post is named, so that each is asked for again.
            let bad = batch.items.firstIndex {
                ["https://h/1.jpg", "https://h/3.jpg", "https://h/5.jpg"].contains($0.url)
            }
            if let bad {
                throw RefusedItems(
                    problem: ProblemJSON(title: "", status: 422, code: "invalid_items", detail: ""),
                    items: [.init(index: bad, field: "name", reason: "no")]
                )
            }
            return batch.items.map(\.url)
        }) { posted.append($0) }
        #expect(posted == [["https://h/2.jpg"], ["https://h/4.jpg"]])
        #expect(left == [0: "no", 2: "no", 4: "no"])
    }

    @Test("A refusal that names none of the items ends the command also where bad ones are left out")
    func unnamed() {
        var parts = Self.parts(Self.good)
        parts.leaveOut = { _, _ in }
        #expect(throws: ClientError.self) {
            try parts.post({ _, _ -> Int in
                throw RefusedItems(
                    problem: ProblemJSON(title: "", status: 422, code: "invalid_items", detail: ""),
                    items: [.init(index: 7, field: "url", reason: "no")]
                )
            }) { _ in }
        }
    }

    @Test("Each part of a list has a key of its own, the same when it is repeated until all is in")
    func keys() throws {
        let directory = try TemporaryDirectory()
        let environment = ["XDG_STATE_HOME": directory.path]
        func begin(_ urls: [String]) -> (parts: BatchParts, unfinished: UnfinishedAdd) {
            var parts = Self.parts(urls)
            let unfinished = UnfinishedAdd(UnfinishedAdd.digest(parts.json, to: "s"), environment)
            parts.isRemembered = unfinished.isRemembered
            return (parts, unfinished)
        }
        func post(_ list: (parts: BatchParts, unfinished: UnfinishedAdd), until last: Int) throws -> [String]
        {
            var keys: [String] = []
            try list.parts.post({ _, part in
                guard part < last else { throw ClientError.unreachable("The daemon has gone away.") }
                keys.append(list.unfinished.key(part: part))
                return part
            }) { _ in }
            return keys
        }
        let first = begin(Self.good)
        #expect(first.unfinished.isRemembered && !first.unfinished.wasBegun)
        let error = #expect(throws: ClientError.self) { try post(first, until: 2) }
        #expect(
            error?.message
                == "The daemon has gone away. The first 4 files of the list were added: add it again in the same way, and what is in already isn't added twice."
        )
        let second = begin(Self.good)
        #expect(second.unfinished.wasBegun)
        let keys = try post(second, until: 3)
        #expect(Set(keys).count == 3 && keys[0] == first.unfinished.key(part: 0))
        // Another list, or the same for another daemon, has nothing to do with it.
        #expect(!begin(Self.good + Self.good).unfinished.wasBegun)
        #expect(
            UnfinishedAdd.digest(second.parts.json, to: "t")
                != UnfinishedAdd.digest(second.parts.json, to: "s")
        )
        second.unfinished.forget()
        #expect(begin(Self.good).unfinished.key(part: 0) != keys[0])
    }
}
