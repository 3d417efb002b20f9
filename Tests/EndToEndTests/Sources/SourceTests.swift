import ControlAPI
import Foundation
import TestSupport
import Testing

/// Sources under the real daemon, with the real page reader, against a server that pages.
struct SourceTests {
    @Test("A paged list becomes jobs, each item once, with its key and what is to be known of it")
    func pagedList() async throws {
        let list = try ListOrigin(count: 35)
        defer { list.origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let added = try await installation.addSource(list.recipe())
        #expect(added.status == 0, "\(added.errors)")
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.pages == 4 && end.items == 35 && end.new == 35 && end.total == 35)
        #expect(end.walk?.complete == true && end.lastError == nil)
        let jobs = try await installation.allJobs()
        #expect(jobs.map(\.itemKey).compactMap(\.self) == (1...35).reversed().map(String.init))
        #expect(jobs.allSatisfy { $0.source == "list" })
        #expect(jobs.first?.meta?.members.first?.text == "35")
        #expect(list.origin.requests("/list").count == 4)
        // Looked at again, nothing is new.
        list.insert(2)
        _ = try await installation.facefetch("source", "poll", "list")
        let again = try #require(
            try await installation.source { $0.walk?.number == 2 && $0.state.code == .ended }
        )
        #expect(again.new == 2 && again.known == 35)
        #expect(try await installation.allJobs().count == 37)
        #expect(await daemon.stop() == 0)
    }

    @Test("Slices that have items in common lose none of their own")
    func overlap() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serveOthers { request in
            if request.path.hasPrefix("/picture/") { return OriginFile([1]).answer(to: request) }
            if request.path == "/parts" { return ListOrigin.json(["a", "b"]) }
            let all = Array(1...40) + (request.path == "/b" ? Array(51...60) : [])
            let page = ListOrigin.parameter("page", of: request).flatMap { Int($0) } ?? 1
            let part = all.dropFirst((page - 1) * 10).prefix(10)
            let items = part.map { ["id": $0, "src": "/picture/\($0).jpg"] as [String: Any] }
            return ListOrigin.json(
                ["items": items, "next": page * 10 < all.count ? page + 1 : 0] as [String: Any]
            )
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let recipe = """
            name: list
            url: "\(origin.url("/{part}"))"
            slices: {url: "\(origin.url("/parts"))", each: ".[]", vars: {part: .}}
            items: .items[]
            job: {url: .src, key: .id}
            next: "if .next > 0 then {page: .next} else null end"
            every: never
            """
        #expect(try await installation.addSource(recipe).status == 0)
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.new == 50 && end.lastError == nil && end.walk?.complete == true, "\(end)")
        #expect(await daemon.stop() == 0)
    }

    @Test("A source holds when enough of its jobs are queued, and goes on as they end")
    func ahead() async throws {
        let list = try ListOrigin(count: 60)
        defer { list.origin.stop() }
        let gate = OriginGate()
        list.origin.serveOthers { OriginFile(Array($0.path.utf8)).whole.held(by: gate) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe(more: "ahead: 20"))
        let held = try #require(try await installation.source { $0.state.code == .held })
        #expect(held.items == 20)
        gate.open()
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.new == 60)
        #expect(await daemon.stop() == 0)
    }

    @Test("A lazy source reads so far and no further, and on when somebody asks for more")
    func lazy() async throws {
        let list = try ListOrigin(count: 60)
        defer { list.origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe(more: "mode: lazy\nahead: 15"))
        let first = try #require(try await installation.source { $0.state.code == .held })
        #expect(first.items == 20)
        _ = try await installation.facefetch("source", "more", "list")
        let second = try #require(try await installation.source { $0.items > 20 && $0.state.code == .held })
        #expect(second.items == 40)
        #expect(await daemon.stop() == 0)
    }

    @Test("What is wrong with a page is said in one sentence, and other sources go on")
    func trouble() async throws {
        let list = try ListOrigin(count: 5)
        defer { list.origin.stop() }
        list.origin.serve("/login") { _ in .loginPage }
        list.origin.serve("/other") { _ in ListOrigin.json(["pictures": []]) }
        list.origin.serve("/key") { _ in OriginAnswer(403) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let troubles = [
            ("login", "unexpected_type"), ("other", "unexpected_shape"), ("key", "unauthorized"),
            ("gone", "unexpected_status"),
        ]
        for (name, _) in troubles {
            let recipe = list.recipe(name).replacing("/list?", with: "/\(name)?")
            try await installation.addSource(recipe, name)
        }
        try await installation.addSource(list.recipe("good"), "good")
        _ = try #require(try await installation.source("good") { $0.state.code == .ended && $0.new == 5 })
        for (name, code) in troubles {
            let source = try #require(try await installation.source(name) { $0.lastError != nil })
            #expect(source.lastError?.code == code, "\(name): \(source.lastError?.message ?? "")")
            #expect(source.state.reason?.isEmpty == false)
        }
        let shown = try await installation.facefetch("source", "list")
        #expect(shown.status == 0 && shown.lines.count == 6)
        #expect(await daemon.stop() == 0)
    }

    @Test("A cursor never passes a failed page: it is asked for again once that makes sense")
    func failedPage() async throws {
        let list = try ListOrigin(count: 30)
        defer { list.origin.stop() }
        list.answer { _, page in page == 2 ? OriginAnswer(500) : nil }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe())
        let waiting = try #require(try await installation.source { $0.state.code == .waiting })
        #expect(waiting.items == 10 && waiting.nextAt != nil)
        list.answer { _, _ in nil }
        _ = try await installation.facefetch("source", "poll", "list")
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.new == 30 && end.walk?.number == 1 && end.lastError == nil)
        #expect(await daemon.stop() == 0)
    }

    @Test("A source survives a restart where it stood, paused ones paused")
    func restart() async throws {
        let list = try ListOrigin(count: 60)
        defer { list.origin.stop() }
        let installation = try Installation()
        var daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe(more: "mode: lazy\nahead: 10"))
        _ = try #require(try await installation.source { $0.state.code == .held })
        _ = try await installation.facefetch("source", "pause", "list")
        #expect(await daemon.stop() == 0)
        daemon = try await installation.startDaemon(environment: Installation.plain)
        #expect(try await installation.source().state.code == .paused)
        _ = try await installation.facefetch("source", "resume", "list")
        _ = try await installation.facefetch("source", "more", "list")
        let source = try #require(try await installation.source { $0.items == 20 && $0.state.code == .held })
        #expect(source.walk?.number == 1)
        #expect(try await installation.allJobs().count == 20)
        #expect(await daemon.stop() == 0)
    }

    @Test("A removed source is forgotten, and its jobs are cancelled where that is wanted")
    func remove() async throws {
        let list = try ListOrigin(count: 8)
        defer { list.origin.stop() }
        let gate = OriginGate()
        defer { gate.open() }
        list.origin.serveOthers { OriginFile(Array($0.path.utf8)).whole.held(by: gate) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe())
        _ = try #require(try await installation.source { $0.state.code == .ended })
        #expect(try await installation.facefetch("source", "remove", "list", "--jobs", "cancel").status == 0)
        #expect(try await installation.facefetch("source", "show", "list").status == 1)
        #expect(try await installation.allJobs().allSatisfy { $0.state == .cancelled })
        // Added anew it knows nothing.
        try await installation.addSource(list.recipe())
        let anew = try #require(try await installation.source { $0.state.code == .ended })
        #expect(anew.new == 8)
        #expect(await daemon.stop() == 0)
    }

    @Test("A saved page of a bucket has its objects, and nobody is asked for it")
    func savedBucket() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let recipe = "kind: s3\nurl: s3://photos/\ns3: {endpoint: 'http://127.0.0.1:9'}\n"
        let listing =
            "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><IsTruncated>false</IsTruncated>"
            + "<Contents><Key>a b.jpg</Key><ETag>\"1\"</ETag><Size>3</Size></Contents></ListBucketResult>"
        let file = try installation.directory.write(Array(recipe.utf8), to: "r.yaml")
        let page = try installation.directory.write(Array(listing.utf8), to: "page.xml")
        let tried = try await installation.facefetch("source", "try", file, "--page", page)
        #expect(tried.status == 0 && tried.output.contains("s3://photos/a%20b.jpg"), "\(tried.errors)")
        #expect(tried.errors.contains("asked nobody"), "\(tried.errors)")
        #expect(await daemon.stop() == 0)
    }

    @Test("A recipe is tried without anything being stored")
    func tryOut() async throws {
        let list = try ListOrigin(count: 25)
        defer { list.origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let file = try installation.directory.write(Array(list.recipe().utf8), to: "r.yaml")
        let tried = try await installation.facefetch("source", "try", file)
        #expect(tried.status == 0 && tried.lines.count == 11, "\(tried.errors)")
        #expect(tried.lines.last?.contains("page=2") == true)
        #expect(try await installation.facefetch("source", "list").output.contains("no source"))
        let page = try installation.directory.write(Array("<html>".utf8), to: "page")
        let wrong = try await installation.facefetch("source", "try", file, "--page", page)
        #expect(wrong.status == 1 && wrong.errors.contains("unexpected_type"), "\(wrong.errors)")
        let zipped = try installation.directory.write(try Compressed.gzip(Array("[]".utf8)), to: "page.gz")
        let other = try await installation.facefetch("source", "try", file, "--page", zipped)
        #expect(other.status == 2 && other.errors.contains("is compressed"), "\(other.errors)")
        let bad = try installation.directory.write(Array("nonsense: 1".utf8), to: "bad.yaml")
        let refused = try await installation.facefetch("source", "add", bad)
        #expect(refused.status == 2 && refused.errors.contains("nonsense"), "\(refused.errors)")
        #expect(await daemon.stop() == 0)
    }
}
