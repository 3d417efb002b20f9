import ControlAPI
import Foundation
import TestSupport
import Testing

/// Tests of what becomes of items that a source knows already.
struct KnownItemTests {
    private static func page(_ source: String) -> OriginAnswer {
        ListOrigin.json([
            "items": [["id": 1, "src": source] as [String: Any]], "page": 1, "total": 1, "has_more": false,
        ])
    }

    @Test("A known item's new URL mends a job that failed for an expired one, and keeps what it has")
    func expired() async throws {
        let list = try ListOrigin(count: 1)
        defer { list.origin.stop() }
        let file = OriginFile(seed: 4, count: 600_000)
        list.origin.serveOthers { request in
            if request.target.hasSuffix("sig=new") { return file.answer(to: request) }
            return request.index == 0 ? file.answer(to: request).cut(after: 200_000) : OriginAnswer(403)
        }
        list.answer { _, _ in Self.page("/picture/1.jpg?sig=old") }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe())
        _ = try #require(try await installation.source { $0.jobs?[.known(.failed)] == 1 })
        list.answer { _, _ in Self.page("/picture/1.jpg?sig=new") }
        _ = try await installation.facefetch("source", "poll", "list")
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 1 })
        #expect(try await installation.allJobs().count == 1)
        let last = try #require(list.origin.requests("/picture/1.jpg").last)
        #expect(last.header("Range") == "bytes=200000-" && last.header("If-Range") == "\"v1\"")
        #expect(try installation.document("1.jpg") == file.bytes)
        #expect(await daemon.stop() == 0)
    }

    @Test("A document that somebody removed is fetched again if asked for, and only then")
    func missing() async throws {
        let list = try ListOrigin(count: 25)
        defer { list.origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe(more: "order: newest-first"))
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 25 })
        try FileManager.default.removeItem(atPath: installation.documents + "/3.jpg")
        _ = try await installation.facefetch("source", "poll", "list")
        let second = try await installation.source { $0.walk?.number == 2 && $0.state.code == .ended }
        #expect(second?.new == 0)
        #expect(try await installation.facefetch("source", "poll", "list", "--missing").status == 0)
        let third = try await installation.source { $0.walk?.number == 3 && $0.state.code == .ended }
        #expect(third?.new == 1 && third?.known == 24)
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 26 })
        let jobs = try await installation.allJobs().filter { $0.itemKey == "3" }
        #expect(jobs.count == 2)
        #expect(try installation.document(jobs[1].name) == Array("picture /picture/3.jpg".utf8))
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "What is missing is asked for in the middle of a walk: all of the list is read anew, and only that fetched"
    )
    func missingInMidList() async throws {
        let list = try ListOrigin(count: 25)
        defer { list.origin.stop() }
        let gate = OriginGate()
        defer { gate.open() }
        list.answer { [weak list] request, page in
            guard page == 2, let list else { return nil }
            let isFirst = list.origin.requests("/list").count { $0.target == request.target } == 1
            return isFirst ? list.honest(2).held(by: gate) : nil
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe(more: "order: newest-first"))
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 10 })
        await gate.reached()
        try FileManager.default.removeItem(atPath: installation.documents + "/20.jpg")
        // It doesn't wait for the page under way.
        #expect(try await installation.facefetch("source", "poll", "list", "--missing").status == 0)
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.walk?.number == 2 && end.items == 25 && end.new == 16 && end.known == 9)
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 26 })
        let keys = try await installation.allJobs().compactMap(\.itemKey)
        #expect(keys.count == 26 && Set(keys).count == 25 && keys.count { $0 == "20" } == 2)
        #expect(await daemon.stop() == 0)
    }

    @Test("A picture whose URL names no extension is stored under that of its type")
    func extensions() async throws {
        let list = try ListOrigin(count: 1)
        defer { list.origin.stop() }
        list.origin.serveOthers { OriginFile(Array($0.path.utf8)).answer(to: $0) }
        list.answer { _, _ in Self.page("/id/237/200/300") }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe())
        _ = try #require(try await installation.source { $0.jobs?[.known(.stored)] == 1 })
        let url = list.origin.url("/id/237/200/300")
        #expect(try await installation.facefetch("add", url).status == 0)
        #expect(await daemon.errorLine(containing: "stored \"300 (2).jpg\"") != nil)
        #expect(try await installation.facefetch("add", "--name", "cover", url).status == 0)
        #expect(await daemon.errorLine(containing: "stored \"cover\"") != nil)
        #expect(try await installation.allJobs().map(\.name) == ["300.jpg", "300 (2).jpg", "cover"])
        let accept = list.origin.requests("/id/237/200/300").map { $0.header("Accept") }
        #expect(Set(accept) == ["image/*, */*;q=0.8"])
        #expect(await daemon.stop() == 0)
    }
}
