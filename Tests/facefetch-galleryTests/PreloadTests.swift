import Foundation
import Testing

/// The page is plain modules: without a list of them, a browser learns of each only from the one that imports it,
/// and asks for them in as many rounds as they are deep.
@Suite("What the page has its browser load beforehand")
struct PreloadTests {
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../Sources/Clients/facefetch-gallery/Page")

    @Test("index.html names every module of the first view, and no other")
    func modules() throws {
        let html = try String(contentsOf: Self.page.appending(path: "index.html"), encoding: .utf8)
        let scripts = Set(html.matches(of: #/<script type="module" src="/([^"]+)"/#).map { String($0.1) })
        let preloaded = html.matches(of: #/<link rel="modulepreload" href="/([^"]+)">/#).map { String($0.1) }
        #expect(scripts == ["start.js", "app.js"])
        var needed: Set<String> = []
        for script in scripts { try Self.imports(of: script, into: &needed) }
        #expect(Set(preloaded) == needed.subtracting(scripts))
        #expect(Set(preloaded).count == preloaded.count)
    }

    /// Adds all modules that one needs before it runs; what it imports later is none of them.
    private static func imports(of module: String, into needed: inout Set<String>) throws {
        let file = URL(filePath: "/" + module)
        let text = try String(contentsOf: page.appending(path: module), encoding: .utf8)
        for match in text.matches(of: #/(?:^|\n)import [^;]*?from '([^']+)';/#) {
            let imported = file.deletingLastPathComponent().appending(path: String(match.1))
            let path = imported.standardizedFileURL.path
            let name = String(path.dropFirst())
            if needed.insert(name).inserted { try imports(of: name, into: &needed) }
        }
    }
}
