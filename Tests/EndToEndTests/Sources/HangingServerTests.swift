import ControlAPI
import TestSupport
import Testing

/// Servers that take a request and never answer.
struct HangingServerTests {
    @Test("They hold up neither the daemon's start, nor other sources, nor a recipe that is tried out")
    func others() async throws {
        let (hanging, gate) = (try Origin.start(), OriginGate())
        defer {
            gate.open()
            hanging.stop()
        }
        hanging.serveOthers { _ in OriginAnswer(200).held(by: gate) }
        let list = try ListOrigin(count: 3)
        defer { list.origin.stop() }
        let installation = try Installation()
        let first = try await installation.startDaemon(environment: Installation.plain)
        for number in 1...6 {
            let recipe =
                "{name: h\(number), url: '\(hanging.url("/\(number)"))', items: '.[]', job: {url: .}}"
            let added = try await installation.addSource(recipe, "h\(number)")
            #expect(added.status == 0, "\(added.errors)")
        }
        #expect(await first.stop() == 0)
        // It is ready while they hang again.
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        let before = hanging.requests.count
        await gate.reached()
        try await installation.addSource(list.recipe())
        let read = try await installation.source { $0.state.code == .ended }
        #expect(read?.new == 3, "after \(before) requests")
        let file = installation.directory.path("list.yaml")
        let tried = try await installation.facefetch("source", "try", file)
        #expect(tried.status == 0, "\(tried.errors)")
        #expect(await daemon.stop() == 0)
    }
}
