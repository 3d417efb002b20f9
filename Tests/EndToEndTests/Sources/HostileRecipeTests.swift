import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

/// Recipes that strangers have written to do harm, at the real daemon.
@Suite(.timeLimit(.minutes(10))) struct HostileRecipeTests {
    /// The body of a request to try a recipe.
    private static func trial(_ recipe: String, page: String? = nil) throws -> String {
        var asked = ["recipe": recipe]
        asked["page"] = page
        return String(decoding: try JSONEncoder().encode(asked), as: UTF8.self)
    }

    @Test("However a recipe is made, the daemon refuses it, lives, and goes on for everybody")
    func bombs() async throws {
        let installation = try Installation()
        let folder = try installation.directory.directory("lists")
        let recipes = try installation.directory.directory("sources.d")
        let environment = Installation.plain.merging([
            "FACEFETCH_WATCH_DIRECTORY": folder, "FACEFETCH_SOURCES_DIRECTORY": recipes,
        ]) { $1 }
        for (name, text) in RecipeBombs.all {
            try installation.directory.write(Array(text.utf8), to: "sources.d/\(name).yaml")
            try installation.directory.write(Array(text.utf8), to: "lists/\(name).yaml")
        }
        let daemon = try await installation.startDaemon(environment: environment)
        let socket = installation.socket
        for (name, text) in RecipeBombs.all {
            let posted = try await HTTPClient.send("POST", "/v1/sources", text, to: socket)
            #expect(posted.status == 422, "\(name): \(posted.text.prefix(500))")
            let put = try await HTTPClient.send("PUT", "/v1/sources/bomb", text, to: socket)
            #expect(put.status == 422, "\(name): \(put.text.prefix(500))")
            let tried = try await HTTPClient.send("POST", "/v1/sources/try", Self.trial(text), to: socket)
            #expect(tried.status == 422, "\(name): \(tried.text.prefix(500))")
        }
        let hashed = try await HTTPClient.send("POST", "/v1/sources", RecipeBombs.hashedAliases, to: socket)
        #expect(hashed.text.contains("*a0 stands where a name belongs"), "\(hashed.text)")
        let count = RecipeBombs.all.count
        let isDone = await FolderWatch.until(in: folder) {
            let failed = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/failed")) ?? []
            return failed.count == 2 * count
        }
        #expect(isDone)
        // One that can be used costs no more.
        let began = ContinuousClock.now
        let used = try await HTTPClient.send("POST", "/v1/sources", RecipeBombs.nearlyHidden, to: socket)
        #expect(used.status == 201 && ContinuousClock.now - began < .seconds(8), "\(used.text.prefix(500))")
        #expect(try await installation.facefetch("source", "remove", "bomb").status == 0)
        // What needs the thread of large bodies gets it.
        let items = (1...2000).map { "{\"url\":\"https://example.org/\($0).jpg\"}" }
        let batch = "{\"items\":[\(items.joined(separator: ","))]}"
        #expect(try await HTTPClient.send("POST", "/v1/batches", batch, to: socket).status == 201)
        #expect(try await installation.facefetch("source", "list").output.contains("no source"))
        #expect(await daemon.stop() == 0)
    }

    @Test("Trials end when their clients have gone, and the next one is answered at once")
    func abandonedTrials() async throws {
        let list = try ListOrigin(count: 3)
        defer { list.origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let endless = list.recipe().replacing("items: .items[]", with: "items: 'last(range(1e15))'")
        let request = HTTPClient.request("POST", "/v1/sources/try", try Self.trial(endless))
        var clients: [UnixConnection] = []
        for _ in 1...10 {
            let client = try UnixConnection(path: installation.socket)
            try await client.send(request)
            clients.append(client)
        }
        // One of them has its page at least, which it will read for half a minute.
        try await waitWhile { list.origin.requests.isEmpty }
        let began = ContinuousClock.now
        clients = []
        let file = try installation.directory.write(Array(list.recipe().utf8), to: "r.yaml")
        let tried = try await installation.facefetch("source", "try", file)
        #expect(tried.status == 0 && tried.lines.count == 4, "\(tried.errors)")
        #expect(ContinuousClock.now - began < .seconds(25))
        #expect(await daemon.stop() == 0)
    }

    @Test("Trials that go on hold up no source")
    func trialsAndPolls() async throws {
        let list = try ListOrigin(count: 3)
        defer { list.origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe())
        _ = try #require(try await installation.source { $0.state.code == .ended && $0.new == 3 })
        let before = list.origin.requests.count
        let endless = list.recipe().replacing("items: .items[]", with: "items: 'last(range(1e15))'")
        let request = HTTPClient.request("POST", "/v1/sources/try", try Self.trial(endless))
        var clients: [UnixConnection] = []
        for _ in 1...6 {
            let client = try UnixConnection(path: installation.socket)
            try await client.send(request)
            clients.append(client)
        }
        try await waitWhile { list.origin.requests.count == before }
        list.insert(2)
        let began = ContinuousClock.now
        _ = try await installation.facefetch("source", "poll", "list")
        _ = try #require(
            try await installation.source { $0.state.code == .ended && $0.items == 5 && $0.new == 2 }
        )
        #expect(ContinuousClock.now - began < .seconds(25))
        withExtendedLifetime(clients) {}
        clients = []
        #expect(await daemon.stop() == 0)
    }

    @Test("A recipe and a page that are long are tried whole")
    func long() async throws {
        let list = try ListOrigin(count: 3)
        defer { list.origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let comments = String(repeating: "# as long as a line of a recipe may well be\n", count: 500)
        let recipe = comments + list.recipe()
        #expect(recipe.utf8.count > 20_000)
        let file = try installation.directory.write(Array(recipe.utf8), to: "r.yaml")
        let tried = try await installation.facefetch("source", "try", file)
        #expect(tried.status == 0 && tried.lines.count == 4, "\(tried.errors)")
        let items = (1...2000).map { "{\"src\":\"http://h/\($0).jpg\",\"id\":\($0)}" }.joined(separator: ",")
        let page = try installation.directory.write(
            Array("{\"items\":[\(items)],\"has_more\":false,\"page\":1,\"total\":2000}".utf8),
            to: "page.json"
        )
        let given = try await installation.facefetch("source", "try", file, "--page", page)
        #expect(given.status == 0 && given.lines.count == 2001, "\(given.errors)")
        let tooLong = String(repeating: "#", count: 65_537)
        let refused = try await HTTPClient.send(
            "POST",
            "/v1/sources/try",
            Self.trial(tooLong),
            to: installation.socket
        )
        #expect(refused.status == 422 && refused.text.contains("at most 65536 bytes"), "\(refused.text)")
        #expect(await daemon.stop() == 0)
    }
}
