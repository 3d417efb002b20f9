import ControlAPI
import Foundation
import TestSupport
import Testing

/// Sources whose pages are HTML, and those whose lists of slices have pages and slices of their own.
@Suite struct HTMLSourceTests {
    private static func page(_ body: String) -> OriginAnswer {
        let html = "<!DOCTYPE html><html><head><title>Boats</title></head><body>\(body)</body></html>"
        return OriginAnswer(200, [("Content-Type", "text/html; charset=utf-8")], body: Array(html.utf8))
    }

    @Test("A gallery is read page by page as people see it, and a trial says what it saw")
    func gallery() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/gallery") { request in
            let number = ListOrigin.parameter("page", of: request).flatMap { Int($0) } ?? 1
            let images = (1...3).map {
                "<a href=/big/\(number)-\($0)><img src=/s.jpg srcset='/picture/\(number)-\($0).jpg 9w'></a>"
            }
            let next = number < 4 ? "<a rel=next href='?page=\(number + 1)'>more</a>" : ""
            return Self.page(images.joined() + next)
        }
        origin.serveOthers { OriginFile(Array($0.path.utf8)).answer(to: $0) }
        let recipe = """
            name: list
            kind: html
            url: \(origin.url("/gallery"))
            next: link
            job: {meta: {page: .parent_link}}
            every: never
            """
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let file = try installation.directory.write(Array(recipe.utf8), to: "try.yaml")
        let tried = try await installation.facefetch("source", "try", file)
        #expect(tried.status == 0, "\(tried.errors)")
        let said = tried.output + tried.errors
        #expect(
            said.contains("the page \"Boats\" is HTML with 3 images and 4 links, and a link to a next page"),
            "\(said)"
        )
        try await installation.addSource(recipe)
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.pages == 4 && end.new == 12 && end.walk?.complete == true && end.lastError == nil)
        let keys = try await installation.allJobs().compactMap(\.itemKey)
        #expect(
            Set(keys)
                == Set((1...4).flatMap { page in (1...3).map { origin.url("/picture/\(page)-\($0).jpg") } })
        )
        #expect(await daemon.stop() == 0)
    }

    @Test("A trial shows what lists of slices have, and what each slice of the first slice has")
    func nestedTrial() async throws {
        let list = try ListOrigin(count: 40)
        defer { list.origin.stop() }
        list.serveOtherShapes()
        list.serveGroups()
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let file = try installation.directory.write(Array(list.nestedRecipe().utf8), to: "try.yaml")
        let tried = try await installation.facefetch("source", "try", file)
        #expect(tried.status == 0, "\(tried.errors)")
        let said = tried.output + tried.errors
        #expect(
            said.contains("the list of slices has 2, the first of them 0 (group: 0); its next page is "),
            "\(said)"
        )
        #expect(
            said.contains("the list of slices of 0 has 1, the first of them 0 (id: 0); its next page is "),
            "\(said)"
        )
        #expect(await daemon.stop() == 0)
    }
}
