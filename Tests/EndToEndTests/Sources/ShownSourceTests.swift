import ControlAPI
import Foundation
import TestSupport
import Testing

/// Tests of what the daemon and the client show of a recipe to everybody who may look.
struct ShownSourceTests {
    @Test("A password and a header field that were typed into a recipe are sent, and shown to nobody")
    func credentials() async throws {
        let list = try ListOrigin(count: 20)
        let gate = OriginGate()
        defer {
            gate.open()
            list.origin.stop()
        }
        list.answer { [weak list] _, page in page == 2 ? list?.honest(2).held(by: gate) : nil }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let recipe = list.recipe(more: "headers: {x-key: \"Bearer T0PSECRET\"}")
            .replacing("http://", with: "http://ann:sekrit@")
        let added = try await installation.addSource(recipe)
        #expect(added.status == 0, "\(added.errors)")
        // The second page is held, so that the cursor is at its URL.
        let source = try #require(try await installation.source { $0.pages == 1 && $0.walk?.cursor != nil })
        #expect(source.url.contains("http://ann:***@") && source.walk?.cursor?.contains("ann:***@") == true)
        let masked = recipe.replacing("sekrit", with: "***")
        #expect(source.recipe == masked.replacing("Bearer T0PSECRET", with: "(hidden)"))
        var shown = added.output + added.errors
        for words in [
            ["source", "list"], ["source", "list", "--json"], ["source", "show", "list"],
            ["source", "show", "list", "--json"], ["list", "--json"], ["log", "--json"], ["show", "1"],
        ] {
            let result = try await Program.run(
                "facefetch",
                words,
                environment: ["FACEFETCH_SOCKET": installation.socket]
            )
            #expect(result.status == 0, "\(words): \(result.errors)")
            shown += result.output
        }
        for path in ["sources", "sources/list", "sources/list/pages", "jobs"] {
            let arguments = ["--silent", "--unix-socket", installation.socket, "http://localhost/v1/\(path)"]
            shown += try await Program.run("/usr/bin/curl", arguments).output
        }
        #expect(shown.contains("ann:***@"))
        #expect(!shown.contains("sekrit") && !shown.contains("T0PSECRET"), "\(shown)")
        let basic = "Basic " + Data("ann:sekrit".utf8).base64EncodedString()
        let pages = list.origin.requests("/list")
        #expect(!pages.isEmpty)
        for page in pages {
            #expect(page.header("Authorization") == basic && page.header("x-key") == "Bearer T0PSECRET")
        }
        #expect(await daemon.stop() == 0)
    }
}
